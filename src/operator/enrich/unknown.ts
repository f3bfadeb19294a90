/** Word for a text that is not known, where the shape has no null. */
export const UNKNOWN = 'unknown';

/** Reports whether a text means that something is not known. */
export const isUnknown = (text: string): boolean =>
  /^(?:unknown|undisclosed|unspecified|n\/?a|none|null|-+|not (?:known|stated|given|disclosed|specified|mentioned|applicable))?$/i.test(
    text.trim(),
  );
