/** English names of the video categories, whose IDs are the same in all regions. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['1', 'Film & Animation'],
  ['2', 'Autos & Vehicles'],
  ['10', 'Music'],
  ['15', 'Pets & Animals'],
  ['17', 'Sports'],
  ['18', 'Short Movies'],
  ['19', 'Travel & Events'],
  ['20', 'Gaming'],
  ['21', 'Videoblogging'],
  ['22', 'People & Blogs'],
  ['23', 'Comedy'],
  ['24', 'Entertainment'],
  ['25', 'News & Politics'],
  ['26', 'Howto & Style'],
  ['27', 'Education'],
  ['28', 'Science & Technology'],
  ['29', 'Nonprofits & Activism'],
  ['30', 'Movies'],
  ['31', 'Anime/Animation'],
  ['32', 'Action/Adventure'],
  ['33', 'Classics'],
  ['34', 'Comedy'],
  ['35', 'Documentary'],
  ['36', 'Drama'],
  ['37', 'Family'],
  ['38', 'Foreign'],
  ['39', 'Horror'],
  ['40', 'Sci-Fi/Fantasy'],
  ['41', 'Thriller'],
  ['42', 'Shorts'],
  ['43', 'Shows'],
  ['44', 'Trailers'],
]);

const IDS: ReadonlyMap<string, string> = new Map([...NAMES].reverse().map(([id, name]) => [name, id]));

/** Returns the name of a video category; null if the ID is unknown. */
export const findCategoryName = (id: string): string | null => NAMES.get(id) ?? null;

/** Returns the lowest ID of a video category with this English name; null if the name is unknown. */
export const findCategoryId = (name: string): string | null => IDS.get(name) ?? null;

/** Creates the category of an item. */
export function createCategory(id: string, name: string | null = findCategoryName(id)) {
  return { id, type: 'video_platform_category', name, gamedb_id: null, gamedb_name: null, gamedb_slug: null } as const;
}
