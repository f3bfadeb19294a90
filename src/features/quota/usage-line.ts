import type { z } from 'zod';
import { integer, shape, text } from '../../model/scalars.js';

/** Schema of the usage of one operation on one day, as `GET /usage` returns it. */
export const usageLineSchema = shape({
  date: text.meta({ format: 'date' }).describe('UTC day'),
  operation: text.describe('Such as profiles.get'),
  requests: integer.describe('Requests that were answered, errors included'),
  quota_units: integer.describe('Quota units they cost'),
  credits: integer.describe('Marketplace credits they cost'),
}).describe('Usage of one operation on one day');

export type UsageLine = z.output<typeof usageLineSchema>;
