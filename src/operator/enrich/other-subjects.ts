/** Statements about somebody or something of the creator, such as "my daughter is 12", but not "my height is 180 cm". */
const OF_CREATOR =
  /\b(?:my|our|his|her|their|mein|meine)\s(?!(?:age|b-?day|base|birth(?:day|date)?|city|country|date|height|home(?:town)?|location|name|place|pronouns?|size|state|town)\s)[\p{L}-]{1,30}\s(?:is|are|was|were|turn(?:s|ed)|just|ist|wird|war)\s[^,.;!?|&\n]*?(?=\sand\s|[,.;!?|&\n]|$)/gu;
/** Places of others, such as in "a fan from Berlin". */
const OF_OTHERS =
  /\b(?:fan|viewer|follower|subscriber|friend|mod|moderator|editor|teammate|guest|player|guy|girl|boy)s?\s(?:is\s|are\s)?(?:from|in|of)\s[^,.;!?|&\n]*?(?=\sand\s|[,.;!?|&\n]|$)/gu;

/** Leaves out statements about others than the creator. Only some are recognised. @param quote in the form of `foldQuote` */
export const withoutOthers = (quote: string): string => quote.replace(OF_CREATOR, ' ').replace(OF_OTHERS, ' ');
