import type { SocialLink } from '../../features/analysis/social-link.js';
import type { Content } from '../../features/content/content.js';
import type { Profile } from '../../features/profiles/profile.js';
import { normalizeText } from '../../model/normalize.mjs';

/** Content items that an input has at most. */
export const MAX_ITEMS = 30;

/** Maximum characters and list entries of the input, because creators can make some very long. */
const MAX_PROFILE_TEXT = 4000;
const MAX_ITEM_TEXT = 500;
const MAX_TITLE = 300;
const MAX_NAMES = 10;
const MAX_LINKS = 20;

/** Stored records about a creator from which an analysis is made. */
export interface CreatorRecords {
  readonly profile: Profile;
  /** Newest first. */
  readonly content: readonly Content[];
  readonly links: readonly SocialLink[];
}

/** Input of a model about one creator. */
export interface CreatorInput {
  /** JSON without `<`, so that no text of a creator can end the delimiters around it. */
  readonly text: string;
  /** All texts in the form of `foldText`, for finding out whether something occurs in them. */
  readonly folded: string;
  /** Likewise what the creator wrote or chose. The platform's own values, such as dates and languages, say nothing about a person. */
  readonly words: string;
  /** Items of content in the input. */
  readonly items: number;
}

type Json = Readonly<Record<string, unknown>>;

/** An input as JSON. */
interface InputDocument {
  readonly profile: Json;
  readonly links: readonly Json[];
  readonly content: readonly Json[];
}

/**
 * Creates the input from a creator's records. Items are added from the newest until the next one does not fit.
 * @param maxBytes limit of the input in UTF-8 bytes, which no tokenizer turns into more tokens
 * @returns null if neither the profile nor its content says anything
 */
export function createInput({ profile, content, links }: CreatorRecords, maxBytes: number): CreatorInput | null {
  const described = content.slice(0, MAX_ITEMS).map(describeItem);
  const isSilent = !described.some(({ title, description }) => title ?? description);
  if (isSilent && shorten(profile.description, MAX_PROFILE_TEXT) === null) return null;
  const head = describeProfile(profile, maxBytes);
  const accounts = links
    .slice(0, MAX_LINKS)
    .map((link) => withoutNulls({ platform: link.platform_id, handle: shorten(link.name, MAX_TITLE) }));
  const room = maxBytes - Buffer.byteLength(encodeInput(head, '', ''));
  const named = selectFitting(accounts, room);
  const items = selectFitting(described, room - named.bytes);
  return {
    text: encodeInput(head, named.json, items.json),
    ...foldInput({ profile: head, links: named.elements, content: items.elements }),
    items: items.elements.length,
  };
}

/** Describes a profile. Its texts are shortened until it fits: a character is up to six bytes. */
function describeProfile(profile: Profile, maxBytes: number): Json {
  for (let limit = Math.min(MAX_PROFILE_TEXT, Math.floor(maxBytes / 8)); ; limit = Math.floor(limit / 2)) {
    const maxTitle = Math.min(MAX_TITLE, limit);
    const head = withoutNulls({
      platform: profile.platform_id,
      // No two creators have the same input.
      id: profile.id,
      handle: shorten(profile.name, maxTitle),
      display_name: shorten(profile.display_name, maxTitle),
      url: shorten(profile.url, maxTitle),
      description: shorten(profile.description, limit),
      language: shorten(profile.language, 35),
      account_type: shorten(profile.account_type, 50),
      is_mature: profile.is_mature,
      followers: profile.statistics.followers,
      views: profile.statistics.views_estimated,
    });
    if (limit < 20 || Buffer.byteLength(encodeInput(head, '', '')) <= maxBytes) return head;
  }
}

/** @param links elements of an array as JSON @param content likewise */
const encodeInput = (profile: Json, links: string, content: string): string =>
  `{"profile":${stringify(profile)},"links":[${links}],"content":[${content}]}`;

interface Fitting {
  readonly elements: readonly Json[];
  /** The elements, separated by commas. */
  readonly json: string;
  /** With a comma for each element. */
  readonly bytes: number;
}

/** Returns the first elements that fit into a number of bytes, with a comma each. */
function selectFitting(elements: readonly Json[], maxBytes: number): Fitting {
  const taken: string[] = [];
  let bytes = 0;
  for (const element of elements) {
    const json = stringify(element);
    const more = Buffer.byteLength(json) + 1;
    if (bytes + more > maxBytes) break;
    bytes += more;
    taken.push(json);
  }
  return { elements: elements.slice(0, taken.length), json: taken.join(','), bytes };
}

function describeItem({ title, description, type, created_at, duration, categories, tags, statistics }: Content): Json {
  const { viewers, views, likes, comments } = statistics;
  return withoutNulls({
    type,
    title: shorten(title, MAX_TITLE),
    description: shorten(description, MAX_ITEM_TEXT),
    date: created_at?.slice(0, 10) ?? null,
    minutes: duration === null ? null : Math.round(duration / 60_000),
    categories: namesOf(categories),
    tags: namesOf(tags),
    viewers: viewers?.avg,
    views: views?.sum,
    likes: likes?.sum,
    comments: comments?.sum,
  });
}

function namesOf(named: readonly { readonly name: string | null }[]): string[] | null {
  const names = named.flatMap(({ name }) => (name ? [name.slice(0, 100).toWellFormed()] : [])).slice(0, MAX_NAMES);
  return names.length === 0 ? null : names;
}

/** Restores an input from its text. */
export function inputFromText(text: string): CreatorInput {
  const value = JSON.parse(text) as InputDocument;
  return { text, ...foldInput(value), items: value.content.length };
}

/** Shortens a text at a word. @returns null for an empty one */
export function shorten(text: string | null, maxCharacters: number): string | null {
  const trimmed = text?.trim() ?? '';
  if (trimmed.length <= maxCharacters) return trimmed || null;
  const cut = trimmed.slice(0, maxCharacters).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${space > maxCharacters / 2 ? cut.slice(0, space) : cut} …`;
}

function withoutNulls(members: Json): Json {
  const found: Record<string, unknown> = {};
  for (const name of Object.keys(members))
    if (members[name] !== null && members[name] !== undefined) found[name] = members[name];
  return found;
}

/** Encodes as JSON that contains no `<`. */
const stringify = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/** Returns all strings in a value. */
export function textsOf(value: unknown): string[] {
  const texts: string[] = [];
  addTexts(value, texts);
  return texts;
}

function addTexts(value: unknown, texts: string[]): void {
  if (typeof value === 'string') texts.push(value);
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) addTexts(inner, texts);
}

function foldInput({ profile, links, content }: InputDocument): Pick<CreatorInput, 'folded' | 'words'> {
  const words = [
    [profile.handle, profile.display_name, profile.description],
    links.map(({ handle }) => handle),
    content.map(({ title, description, categories, tags }) => [title, description, categories, tags]),
  ];
  return { folded: foldTexts(textsOf([profile, links, content])), words: foldTexts(textsOf(words)) };
}

/** Folds texts. A line break, which no folded text has, keeps a quote from beginning in one text and ending in the next. */
const foldTexts = (texts: readonly string[]): string => texts.map(foldText).join('\n');

/** Returns a text in the form in which texts are compared: compatible characters, lower case, single spaces. */
export const foldText = (text: string): string => normalizeText(text, 'NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
