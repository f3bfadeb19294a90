import { expect, it } from '@jest/globals';
import { historyLine, observed, pointsOf } from '../../support/history.js';
import { uniqueId } from '../../support/records/builders.js';
import { Choices } from '../../support/search/random.js';
import { describeService } from '../../support/service/test-service.js';

const TIMES = ['2026-01-30T10:00:00.000Z', '2026-01-30T12:00:00.000Z', '2026-01-31T10:00:00.000Z', null];

const RUNS = 12;
const STEPS = 25;

/** The rule, without a database: each day keeps the latest observation; of two at the same time, the one stored last. */
class ExpectedHistory {
  readonly #days = new Map<string, { readonly at: string; readonly followers: number }>();
  #profile = '';

  importProfile(at: string | null, followers: number | null): void {
    const profile = `${at} ${followers}`;
    // The same bytes again are no observation.
    if (profile !== this.#profile && at !== null && followers !== null) this.observe(at, followers);
    this.#profile = profile;
  }

  observe(at: string, followers: number): void {
    const day = at.slice(0, 10);
    if ((this.#days.get(day)?.at ?? '') <= at) this.#days.set(day, { at, followers });
  }

  get points(): string[] {
    return Array.from(this.#days, ([day, { followers }]) => `${day} ${followers} null`).toSorted();
  }
}

describeService('random imports of profiles and history', (service) => {
  it('give what the rule says, in one file or several', async () => {
    const choices = new Choices(20_261_126);
    for (let run = 0; run < RUNS; run++) {
      const id = uniqueId();
      const expected = new ExpectedHistory();
      const steps: string[] = [];
      for (let step = 0; step < STEPS; step++) {
        const count = 1 + choices.below(3);
        const versions = Array.from({ length: count }, () => ({
          at: choices.pick(TIMES),
          followers: choices.below(6) === 0 ? null : choices.below(3),
        }));
        if (choices.below(2) === 0) {
          await service().load('profiles', ...versions.map(({ at, followers }) => observed(id, at, followers)));
          for (const { at, followers } of versions) expected.importProfile(at, followers);
        } else {
          const known = versions.flatMap(({ at, followers }) =>
            at === null || followers === null ? [] : [{ at, followers }],
          );
          await service().load(
            'history',
            ...known.map(({ at, followers }) => historyLine(id, at.slice(0, 10), followers, { observed_at: at })),
          );
          for (const { at, followers } of known) expected.observe(at, followers);
        }
        steps.push(JSON.stringify(versions));
        if (step === 0) await service().load('profiles', observed(id, null, 9));
        if (step === 0) expected.importProfile(null, 9);
        expect([run, steps, await pointsOf(service(), id)]).toEqual([run, steps, expected.points]);
      }
    }
  });
});
