/**
 * Beginnings of words for what data protection law treats as special categories. A model may only write one if it occurs in the input.
 * The list is a safety net below the prompt, in the languages that most creators use; it cannot know all words.
 */
const BEGINNINGS: Readonly<Record<string, string>> = {
  health:
    'adhd|autis|bipolar|cancer|depress|diabet|disabled|disabilit|dyslex|epilep|hiv(?!\\p{L})|ptsd|schizophren|anorexi|bulimi|alcoholic|krebs|behinder',
  religion:
    'christian|catholic|protestant|evangelical|muslim|islam(?!abad)|jewish|jews?(?!\\p{L})|judaism|hindu(?!st)|buddhis|atheis|mormon|sikh|katholi|católic|musulm|judío|jüdisch',
  ethnicity:
    'caucasian|african[- ]american|hispanic|latino|latina|latinx|asian(?! (?:food|cuisine|cooking|recipe|dish|drama|market|server|games))|indigenous|romani(?!a)|ethnic|biracial|mixed[- ]race|(?:dark|light)-skinned',
  orientation: 'lesbian|gay(?!\\p{L})|homosexual|bisexual|transgender|transsexual|queer|lgbt|pansexual|asexual',
  politics: 'republican|democrat(?!ic|i[sz])|socialist|communist|right-wing|left-wing|marxis',
};

const PATTERN = new RegExp(`(?<![\\p{L}\\p{N}])(?:${Object.values(BEGINNINGS).join('|')})`, 'gu');

/** Returns the beginnings of such words in a folded text. */
export const specialTermsIn = (folded: string): ReadonlySet<string> => new Set(folded.match(PATTERN) ?? []);
