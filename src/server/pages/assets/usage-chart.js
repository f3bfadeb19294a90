// Chart of the usage of a month by day. The page has the same numbers as a table.

const NAMES = { requests: 'requests', quota_units: 'quota units', credits: 'credits' };
const LABELLED_DAYS = [1, 8, 15, 22, 29];

/** Returns a date such as 2026-11-05 in words. */
export const formatDay = (date) =>
  new Date(date).toLocaleDateString('en', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/**
 * Draws the usage of a month, and draws it again for another measure.
 * @param days sums of each day with usage, by date
 * @param now an instant of the month
 */
export function drawUsage(figure, days, now) {
  const draw = () => drawMeasure(figure, days, now, figure.querySelector('input:checked').value);
  for (const input of figure.querySelectorAll('input')) input.onchange = draw;
  draw();
}

function drawMeasure(figure, days, now, measure) {
  const dates = datesOfMonth(now);
  const values = dates.map((date) => days.get(date)?.[measure] ?? 0);
  const largest = Math.max(...values);
  const columns = dates.map((date, index) => {
    const column = document.createElement('div');
    column.title = `${formatDay(date)}: ${values[index].toLocaleString('en')} ${NAMES[measure]}`;
    const bar = column.appendChild(document.createElement('i'));
    // The policy of the page forbids style attributes in HTML, but not this.
    bar.style.height = `${largest > 0 ? (values[index] / largest) * 100 : 0}%`;
    if (LABELLED_DAYS.includes(index + 1)) column.dataset.label = String(index + 1);
    return column;
  });
  figure.querySelector('.days').replaceChildren(...columns);
  const most = dates[values.indexOf(largest)];
  figure.querySelector('figcaption').textContent =
    largest > 0
      ? `Most ${NAMES[measure]} on ${formatDay(most)}: ${largest.toLocaleString('en')}. Days are UTC.`
      : `No ${NAMES[measure]} this month.`;
}

function datesOfMonth(now) {
  const month = now.slice(0, 7);
  const [year, index] = month.split('-').map(Number);
  const count = new Date(Date.UTC(year, index, 0)).getUTCDate();
  return Array.from({ length: count }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
}
