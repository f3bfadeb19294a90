import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { CollectPlatform } from './collect-platform.js';
import { distinctTargets, dueAt, schedule, stepKey, type Call, type Target } from './schedule.js';
import { IDENTITY, initialState, type TargetState } from './target-state.js';
import { TWITCH } from './twitch.js';
import { YOUTUBE } from './youtube.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-01-10T00:00:00Z');
const UNLIMITED = { now: NOW, dueBy: NOW, units: Infinity, maxCalls: Infinity };

const target = (name: string, state: Partial<TargetState> = {}, everyMs = 6 * HOUR_MS): Target => ({
  name: name,
  handle: name.startsWith('@') ? name.slice(1) : null,
  everyMs,
  state: { ...initialState(name, everyMs, null), ...state },
});

/** A creator of whom everything was asked some hours ago. */
const asked = (name: string, hours: number, more: Partial<TargetState> = {}): Target => {
  const at = NOW - hours * HOUR_MS;
  const steps = ['channels', 'streams', 'followers', 'videos', 'playlistItems', IDENTITY];
  return target(name, { asked: Object.fromEntries(steps.map((step) => [step, at])), list: `UU${name}`, ...more });
};

const summary = (calls: readonly Call[]) => calls.map(({ step, targets }) => `${step.name} ${targets.length}`);

describe('distinctTargets', () => {
  it('joins the entries of one creator: the shortest interval and retention, and the handle', () => {
    const byId = target('UC1', { id: 'UC1', keepMs: null }, HOUR_MS);
    const byHandle = target('@one', { id: 'UC1', keepMs: 7 * HOUR_MS }, 2 * HOUR_MS);
    for (const order of [
      [byId, byHandle],
      [byHandle, byId],
    ]) {
      const state = expect.objectContaining({ id: 'UC1', keepMs: 7 * HOUR_MS, everyMs: HOUR_MS });
      expect(distinctTargets(order)).toEqual([expect.objectContaining({ handle: 'one', everyMs: HOUR_MS, state })]);
    }
  });
});

describe('schedule', () => {
  it('asks first whether creators exist, as few times as possible', () => {
    const targets = Array.from({ length: 201 }, (_, index) => target(String(index)));
    expect(summary(schedule(TWITCH, targets, UNLIMITED).calls)).toEqual(['users 100', 'users 100', 'users 1']);
  });

  it('asks in one call of its own about each handle, where the platform wants that', () => {
    const { calls } = schedule(YOUTUBE, [target('@a'), target('@b'), target('UC1'), target('UC2')], UNLIMITED);
    expect(summary(calls)).toEqual(['channels 1', 'channels 1', 'channels 2']);
  });

  it('asks nothing before the interval has passed, and tells when it will have', () => {
    const plan = schedule(TWITCH, [asked('1', 5.3), asked('2', 2)], UNLIMITED);
    expect(plan).toMatchObject({ calls: [], nextAt: NOW + 0.7 * HOUR_MS, isOverBudget: false });
  });

  it('fills a call with creators who are due soon', () => {
    expect(summary(schedule(TWITCH, [asked('1', 6), asked('2', 5.5), asked('3', 5)], UNLIMITED).calls)).toEqual([
      'users 2',
      'channels 2',
      'streams 2',
      'followers 1',
      'videos 1',
    ]);
  });

  it('asks about who is latest first, as a part of the interval', () => {
    const { calls } = schedule(TWITCH, [asked('1', 7), asked('2', 9)], UNLIMITED);
    const singles = calls.filter(({ step }) => step.name === 'followers');
    expect(singles.map(({ targets: [first] }) => first?.name)).toEqual(['2', '1']);
  });

  it('waits for a full call of items while more may be listed', () => {
    const pending = ['v1', 'v2'];
    const listed = asked('UC1', 1, { pending });
    expect(summary(schedule(YOUTUBE, [listed], UNLIMITED).calls)).toEqual(['videos 1']);
    const unlisted = asked('UC2', 7);
    expect(summary(schedule(YOUTUBE, [listed, unlisted], UNLIMITED).calls)).not.toContain('videos 1');
  });

  it('describes items before it lists more, and first those that wait longest, where the budget does not cover all', () => {
    const items = (name: string) => Array.from({ length: 50 }, (_, index) => `${name}-${index}`);
    const listed = (name: string, hours: number) =>
      asked(name, 1, { pending: items(name), asked: { ...asked(name, 1).state.asked, videos: NOW - hours * HOUR_MS } });
    const unlisted = ['UC3', 'UC4'].map((name) => asked(name, 7));
    const { calls, isOverBudget } = schedule(YOUTUBE, [listed('UC1', 2), listed('UC2', 3), ...unlisted], {
      ...UNLIMITED,
      units: 3,
    });
    expect(summary(calls)).toEqual(['channels 2', 'videos 1', 'videos 1']);
    expect(calls.slice(1).map(({ targets: [first] }) => first?.name)).toEqual(['UC2', 'UC1']);
    expect(isOverBudget).toBe(true);
  });

  it('asks for items of several creators in one call, and splits those of one', () => {
    const items = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}-${index}`);
    const targets = [asked('UC1', 1, { pending: items('a', 30) }), asked('UC2', 1, { pending: items('b', 45) })];
    const { calls } = schedule(YOUTUBE, targets, UNLIMITED);
    expect(calls.map(({ items: all, targets: of }) => [all.length, of.length])).toEqual([
      [50, 2],
      [25, 1],
    ]);
  });

  it('leaves alone what another collector asks, and what has just failed', () => {
    const claims = { [IDENTITY]: NOW + 1000 };
    const retries = { [IDENTITY]: NOW + 2000 };
    const plan = schedule(TWITCH, [target('1', { claims }), target('2', { retries })], UNLIMITED);
    expect(plan).toMatchObject({ calls: [], nextAt: NOW + 1000, claimedUntil: NOW + 1000 });
  });

  it('asks about who has failed only when nothing else is due', () => {
    const failed = target('1', { retries: { [IDENTITY]: NOW - 1000 } });
    const others = [asked('2', 7), asked('3', 8)];
    const before = schedule(TWITCH, [failed, ...others], UNLIMITED).calls;
    expect(before.flatMap(({ targets }) => targets)).not.toContain(failed);
    expect(summary(schedule(TWITCH, [failed, asked('2', 1)], UNLIMITED).calls)).toEqual(['users 1']);
  });

  it('asks first about who may be asked again longest, of those who have failed', () => {
    const failed = (name: string, minutes: number) =>
      asked(name, 7, {
        asked: { ...asked(name, 1).state.asked, videos: NOW - 7 * HOUR_MS },
        retries: { videos: NOW - minutes * 60_000 },
      });
    const { calls } = schedule(TWITCH, [failed('1', 1), failed('2', 5), failed('3', 3)], UNLIMITED);
    expect(calls.map(({ targets: [first] }) => first?.name)).toEqual(['2', '3', '1']);
  });

  it('lets nobody who has failed wait for others for longer than the interval', () => {
    const failed = target('1', { retries: { [IDENTITY]: NOW - 7 * HOUR_MS } });
    const { calls } = schedule(TWITCH, [failed, asked('2', 7)], { ...UNLIMITED, units: 1 });
    expect(calls.flatMap(({ targets }) => targets)).toContain(failed);
  });

  it('asks about who is missing once a day, and about who is gone at ten times the interval', () => {
    const [identity] = TWITCH.steps;
    if (identity === undefined) throw new Error('no step');
    const last = NOW - HOUR_MS;
    const missing = (everyMs: number, first: number) =>
      target('1', { asked: { [IDENTITY]: last }, missing: { first, last } }, everyMs);
    expect(dueAt(identity, missing(6 * HOUR_MS, last))).toBe(last + 6 * HOUR_MS);
    expect(dueAt(identity, missing(72 * HOUR_MS, last))).toBe(last + 24 * HOUR_MS);
    expect(dueAt(identity, missing(6 * HOUR_MS, last - 24 * HOUR_MS))).toBe(last + 60 * HOUR_MS);
    for (const step of TWITCH.steps.slice(1)) expect(dueAt(step, missing(6 * HOUR_MS, last))).toBeNull();
  });
});

const aTarget = fc
  .record({
    every: fc.constantFrom(1, 6, 24),
    askedHours: fc.dictionary(
      fc.constantFrom(IDENTITY, 'channels', 'streams', 'followers', 'playlistItems'),
      fc.nat(30),
    ),
    claimMinutes: fc.dictionary(fc.constantFrom(IDENTITY, 'followers'), fc.integer({ min: -5, max: 5 })),
    pending: fc.nat(120),
    isMissing: fc.boolean(),
    alone: fc.subarray([IDENTITY, 'channels', 'streams']),
    isHandle: fc.boolean(),
  })
  .map((each) => (index: number): Target => {
    const name = each.isHandle ? `@h${index}` : `UC${index}`;
    const entries = Object.entries(each.askedHours).map(([step, hours]) => [step, NOW - hours * HOUR_MS]);
    const last = each.askedHours[IDENTITY];
    const at = NOW - (last ?? 0) * HOUR_MS;
    return target(
      name,
      {
        id: last === undefined ? (each.isHandle ? null : name) : `UC${index}`,
        asked: Object.fromEntries(entries) as Record<string, number>,
        claims: Object.fromEntries(Object.entries(each.claimMinutes).map(([step, min]) => [step, NOW + min * 60_000])),
        missing: each.isMissing && last !== undefined ? { first: at, last: at } : null,
        pending: Array.from({ length: each.pending }, (_, item) => `${index}-${item}`),
        list: `UU${index}`,
        alone: each.alone,
      },
      each.every * HOUR_MS,
    );
  });

const someTargets = fc.array(aTarget, { maxLength: 60 }).map((all) => all.map((make, index) => make(index)));
const aPlatform = fc.constantFrom<CollectPlatform>(TWITCH, YOUTUBE);

describe('every schedule', () => {
  it('is within the units, and as long as they allow', () => {
    fc.assert(
      fc.property(aPlatform, someTargets, fc.nat(20), (platform, targets, units) => {
        const all = schedule(platform, targets, UNLIMITED).calls.length;
        const plan = schedule(platform, targets, { ...UNLIMITED, units });
        expect(plan.calls).toHaveLength(Math.min(all, units));
        expect(plan.isOverBudget).toBe(all > units);
      }),
    );
  });

  it('asks each step of a creator, and each item, once', () => {
    fc.assert(
      fc.property(aPlatform, someTargets, (platform, targets) => {
        const asks = schedule(platform, targets, UNLIMITED).calls.flatMap(({ step, targets: of, items }) =>
          step.kind === 'details' ? items : of.map((each) => `${step.name} ${each.name}`),
        );
        expect(new Set(asks).size).toBe(asks.length);
      }),
    );
  });

  it('has everything that is due and unclaimed, and nothing that is due much later', () => {
    fc.assert(
      fc.property(aPlatform, someTargets, (platform, targets) => {
        const { calls } = schedule(platform, targets, UNLIMITED);
        for (const step of platform.steps.filter(({ kind }) => kind !== 'details')) {
          const chosen = new Set(calls.filter((call) => call.step === step).flatMap((call) => call.targets));
          const isFree = ({ state }: Target) => (state.claims[stepKey(step)] ?? 0) <= NOW;
          const isDue = (each: Target, earlyMs: number) => (dueAt(step, each) ?? Infinity) <= NOW + earlyMs;
          const missed = targets.filter((each) => isDue(each, 0) && isFree(each) && !chosen.has(each));
          const tooEarly = [...chosen].filter((each) => !isDue(each, each.everyMs / 10) || !isFree(each));
          expect([missed, tooEarly]).toEqual([[], []]);
        }
      }),
    );
  });

  it('never exceeds the size of a call, and leaves at most one call of a step short', () => {
    fc.assert(
      fc.property(aPlatform, someTargets, (platform, targets) => {
        const { calls } = schedule(platform, targets, UNLIMITED);
        for (const step of platform.steps) {
          const own = calls.filter((call) => call.step === step);
          const sizes = own.map(({ items, targets: of }) => (step.kind === 'details' ? items.length : of.length));
          expect(sizes.every((size) => size >= 1 && size <= step.batchSize)).toBe(true);
          const shared = own.filter(
            ({ targets: of }) =>
              step.kind === 'details' ||
              of.length > 1 ||
              !(of[0]?.state.alone.includes(stepKey(step)) || of[0]?.state.id === null),
          );
          const short = shared.filter(
            ({ items, targets: of }) => (step.kind === 'details' ? items.length : of.length) < step.batchSize,
          );
          expect(short.length).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
