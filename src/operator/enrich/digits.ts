/** Digits of other scripts, by their zero. */
const ZEROS = '٠۰०০๐';

/** Replaces digits of other scripts, such as `٢٣`, by those of the Latin script. */
export const latinDigits = (text: string): string =>
  text.replace(/\p{Nd}/gu, (digit) => {
    const zero = Array.from(ZEROS, (each) => digit.charCodeAt(0) - each.charCodeAt(0)).find(
      (value) => value >= 0 && value < 10,
    );
    return zero === undefined ? digit : String(zero);
  });
