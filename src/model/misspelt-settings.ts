import { SETTING_NAMES } from './config.js';

/** Length of the shortest name that is compared: platforms set variables such as `PORT0`. */
const MIN_LENGTH = 5;

/** Describes each variable whose name is one edit away from a setting's. Other names belong to other programs. */
export function describeMisspeltSettings(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.keys(environment)
    .filter((name) => !SETTING_NAMES.includes(name))
    .flatMap((name) => {
      const meant = SETTING_NAMES.find((setting) => setting.length >= MIN_LENGTH && isOneEditAway(name, setting));
      return meant === undefined ? [] : `${name} is not a setting: did you mean ${meant}?`;
    });
}

/** Returns whether one inserted, removed, replaced or swapped character makes one name the other. */
function isOneEditAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length);
  let start = 0;
  while (start < shorter && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [left, right] = [one, other].map((name) => name.slice(start, name.length - end)) as [string, string];
  return (left.length <= 1 && right.length <= 1) || (left.length === 2 && left === right.at(1) + right.charAt(0));
}
