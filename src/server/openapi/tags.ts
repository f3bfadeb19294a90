/** Groups of operations by the first word of their names, in the order of the API reference. */
const TAGS = [
  {
    name: 'Profiles',
    description: 'Content creators, each on one platform, by ID, by handle, or page by page, and their growth.',
    operations: ['profiles', 'history'],
  },
  {
    name: 'Content',
    description: 'Streams, videos and posts: of a platform, of a creator, of a game.',
    operations: ['content'],
  },
  {
    name: 'Games',
    description: 'Games of the game database, with their IDs on `live_platform` and `video_platform`.',
    operations: ['games'],
  },
  {
    name: 'Analysis',
    description: 'What is known about a creator beyond the profile. Not every creator has it.',
    operations: ['analysis', 'audience', 'socials', 'email'],
  },
  {
    name: 'Changes',
    description: 'What has changed since a cursor, to keep a copy of the data.',
    operations: ['changes'],
  },
  { name: 'Usage', description: 'What your key has used.', operations: ['usage'] },
  { name: 'Health', description: 'The state of the service itself; open to everybody.', operations: ['health'] },
] as const;

/** Member `tags` of the document. */
export const TAG_OBJECTS = TAGS.map(({ name, description }) => ({ name, description }));

/** @throws Error for an operation that no tag covers */
export function findTag(operationId: string): string {
  const [subject = ''] = operationId.split('.');
  const tag = TAGS.find(({ operations }) => (operations as readonly string[]).includes(subject));
  if (tag === undefined) throw new Error(`no tag of the OpenAPI document covers ${operationId}`);
  return tag.name;
}
