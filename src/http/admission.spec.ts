import { describe, expect, it } from '@jest/globals';
import { Admission } from './admission.js';

const LIMITS = { underWay: 1000, patienceMs: 1000, overloadedMs: 100, leastUnderWay: 50 };
const BUSY = { seconds: 1, utilization: 1 };
const IDLE = { seconds: 1, utilization: 0.5 };

/** How many requests at a time it lets in. */
const limitOf = (admission: Admission) => {
  let underWay = 0;
  while (admission.admits(underWay)) underWay += 1;
  return underWay;
};

/** A second with so many answers, each while so many requests were under way. */
function second(admission: Admission, answers: number, underWay: number, span = BUSY): void {
  for (let nth = 0; nth < answers; nth += 1) admission.answered(underWay);
  admission.look(span);
}

describe('Admission', () => {
  it('admits as many as may be under way, whatever the load', () => {
    expect(limitOf(new Admission(LIMITS))).toBe(1000);
  });

  it('after two seconds in which a busy process took too long, admits what it answers in time', () => {
    const admission = new Admission(LIMITS);
    second(admission, 2000, 400);
    expect([limitOf(admission), admission.patienceMs]).toEqual([1000, 1000]);
    second(admission, 2000, 400);
    expect([limitOf(admission), admission.patienceMs]).toEqual([200, 100]);
  });

  it('goes on so for as long as more come, and then admits all again', () => {
    const admission = new Admission(LIMITS);
    for (let nth = 0; nth < 2; nth += 1) second(admission, 2000, 400);
    expect(limitOf(admission)).toBe(200);
    second(admission, 3000, 200);
    expect(limitOf(admission)).toBe(300);
    admission.look(BUSY);
    second(admission, 1000, 20);
    expect(limitOf(admission)).toBe(1000);
  });

  it('holds a process that waits for a slow store for no overload', () => {
    const admission = new Admission(LIMITS);
    for (let nth = 0; nth < 5; nth += 1) second(admission, 300, 900, IDLE);
    expect(limitOf(admission)).toBe(1000);
  });

  it('holds a process that is busy and quick for no overload', () => {
    const admission = new Admission(LIMITS);
    for (let nth = 0; nth < 5; nth += 1) second(admission, 5000, 400);
    expect(limitOf(admission)).toBe(1000);
  });

  it('lets a few in even if it answers nothing', () => {
    const admission = new Admission(LIMITS);
    for (let nth = 0; nth < 2; nth += 1) second(admission, 100, 400);
    expect(limitOf(admission)).toBe(50);
  });
});
