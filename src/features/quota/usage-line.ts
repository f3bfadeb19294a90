import type { z } from 'zod';
import { integer, shape, text } from '../../model/scalars.js';

/** What an operation of a day came to, as `GET /usage` returns it. */
export const usageLineSchema = shape({
  date: text.meta({ format: 'date' }).describe('UTC day'),
  operation: text.describe('Such as profiles.get'),
  requests: integer,
  quota_units: integer,
  credits: integer,
}).describe('Usage of one operation on one day');

export type UsageLine = z.output<typeof usageLineSchema>;
