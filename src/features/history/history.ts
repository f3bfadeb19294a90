import * as z from 'zod';
import { isCalendarDate } from '../../model/calendar-date.js';
import { PLATFORMS } from '../../model/platforms.js';
import { dateTime, id, integer, nullable, oneOf, shape, textWithRule } from '../../model/scalars.js';

const date = textWithRule((value) =>
  isCalendarDate(value) ? undefined : 'must be a calendar date such as 2026-01-31',
).meta({ format: 'date' });

/** Members of a point, named like the statistics of a profile: a policy that hides one there hides it here. */
const statistics = {
  followers: nullable(integer).describe('Followers; on video_platform the free channel subscribers'),
  views_estimated: nullable(integer).describe('Estimated number of all views'),
};

/** Schema of the statistics of a profile on one day. */
export const historyPointSchema = shape({
  date: date.describe('UTC day of the observation'),
  ...statistics,
}).describe('Statistics of a profile on one day');

export type HistoryPoint = z.output<typeof historyPointSchema>;

/** Schema of a line of a `history` import. Without a number it would observe nothing. Exports have `observed_at`; without it a
 * line counts as the end of its day. */
export const historyLineSchema = shape({
  platform_id: oneOf(PLATFORMS),
  profile_id: id,
  date,
  observed_at: nullable(dateTime),
  ...statistics,
}).check(({ value, issues }) => {
  const reject = (member: string, message: string) =>
    issues.push({ code: 'custom', input: value, path: [member], message });
  if (value.followers === null && value.views_estimated === null) {
    reject('followers', 'and views_estimated are both missing');
  }
  if (value.observed_at?.startsWith(value.date) === false) reject('observed_at', 'must be on the day of date');
});

export type HistoryLine = z.output<typeof historyLineSchema>;
