// @ts-check
/** Words for generated names and texts. */

export const SENTENCE_WORDS =
  'ranked climb tonight road to champion first playthrough blind run with friends charity stream giveaway chill vibes only no spoilers please new patch day one finale marathon speedrun attempts viewers games drops enabled late night coffee and cooking music request show just chatting about everything building a base hardcore survival challenge week solo queue duo with coach review replay tournament qualifiers grand'.split(
    ' ',
  );

export const NOUNS =
  'Shadow Dragon Kingdom Star Light Dark Legend Quest Battle Empire Hero War World Night Storm Fire Ice Blade Soul Magic Castle Dungeon Galaxy Racer Rally Soccer Manager Farm City Builder Tycoon Zombie Ninja Samurai Pirate Knight Wizard Ghost Robot Alien Planet Ocean Island Forest Desert Mountain Tower Puzzle Arena Legion Crown Throne Sword Arrow Hunter Survivor Escape Mystery Detective Garden Kitchen Train Tank Pilot Raven Wolf Tiger Phoenix Titan Crystal Echo Ember Frost Thunder Silver Golden Crimson Eternal Lost Final Hidden Broken Rising Fallen'.split(
    ' ',
  );

export const PLACES =
  'Avalon Berlin Cairo Dover Elara Fjord Granada Havana Iona Java Kyoto Lima Malta Nara Oslo Porto'.split(' ');

export const SURPRISES = [
  '日本語で配信',
  'à bientôt',
  'señor',
  'größer',
  '🎮🔥',
  'привет',
  '한국어',
  '“finally”',
  '"quoted"',
  'back\\slash',
];
