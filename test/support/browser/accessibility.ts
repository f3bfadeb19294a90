import { source } from 'axe-core';
import type { Page } from 'playwright-core';

/** Finds what axe-core calls serious or critical, contrasts below 4.5:1 included. @returns rule and element of each finding */
export async function findAccessibilityProblems(page: Page): Promise<string[]> {
  // Evaluated through the debugger, because the pages forbid inline scripts.
  await page.evaluate(source);
  return page.evaluate(RUN) as Promise<string[]>;
}

/** Source text, because this project has no DOM types. */
const RUN = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)),
)`;
