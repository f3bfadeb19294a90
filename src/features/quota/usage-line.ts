import type * as z from 'zod';
import { integer, shape, text } from '../../model/scalars.js';

/** Schema of the usage of one operation on one day, as `GET /usage` returns it. */
export const usageLineSchema = shape({
  date: text.meta({ format: 'date' }).describe('UTC day'),
  operation: text.describe('Operation, such as profiles.get'),
  requests: integer.describe('Number of answered requests, including errors'),
  quota_units: integer.describe('Quota units charged'),
  credits: integer.describe('Marketplace credits charged'),
}).describe('Usage of one operation on one day');

export type UsageLine = z.output<typeof usageLineSchema>;
