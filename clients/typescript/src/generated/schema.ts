// Generated from docs/openapi.json by `npm run openapi`. Do not edit.
export interface paths {
  '/platforms/{platform}/profiles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List profiles
     * @description Lists all creators of a platform, most recently updated first. `sort=followers` lists the largest first. `start_date` and `end_date` bound the sort member, so they cannot be combined with `sort=followers`.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned, no credits.
     */
    get: operations['profiles.list'];
    put?: never;
    /**
     * Get up to 100 profiles
     * @description Returns the profiles of up to 100 IDs, in the requested order. Unknown IDs do not fail the request; they are listed in `meta.missing_ids`.
     *
     *     **Cost:** 1 quota unit for each distinct item of the batch, no credits.
     */
    post: operations['profiles.batch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/lookup': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Look up handles
     * @description Returns the IDs of handles, which all other endpoints require. Ignores case and a leading `@`. Unknown handles are listed in `meta.missing_handles`.
     *
     *     **Cost:** 1 quota unit for each distinct item of the batch; 1 credit if any data is returned.
     */
    post: operations['profiles.lookup'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search for creators
     * @description Finds creators by words and by filters, those with the most followers first. Every word of `text` must begin a word of the handle, the display name or the description. Pass `paging.next_cursor` as `cursor` for the next page; filters may change, but not `sort` and `order`. New and changed creators are found within 5 seconds.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned; 1 credit for each item returned.
     */
    post: operations['profiles.search'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a profile
     * @description Returns the name, texts, images, statistics and dates of one creator by ID. Use `profiles.lookup` to find the ID of a handle. `include=available` tells which documents about the creator exist: ask before you pay for them.
     *
     *     **Cost:** 1 quota unit, no credits; the same with a 404.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform.
     */
    get: operations['profiles.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/history': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the history of a profile
     * @description Returns followers and views by UTC day, week or month, oldest first. Only observed days are listed: with `interval=week` or `month`, `date` is the last observed day of each. `meta.first_observed_at` is the first observed day of all; null without any.
     *
     *     **Cost:** 10 quota units; 10 credits if any data is returned.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform.
     */
    get: operations['history.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/content': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List content
     * @description Lists all content of a platform, newest first.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned, no credits.
     */
    get: operations['content.list'];
    put?: never;
    /**
     * Get up to 100 items of content
     * @description Returns up to 100 items, in the requested order. Unknown IDs do not fail the request; they are listed in `meta.missing_ids`.
     *
     *     **Cost:** 1 quota unit for each distinct item of the batch, no credits.
     */
    post: operations['content.batch'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/content/{content_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an item of content
     * @description Returns one stream, video or post with its categories, tags, chapters and the statistics that its platform provides.
     *
     *     **Cost:** 1 quota unit, no credits; the same with a 404.
     *
     *     **404:** `Content not found`: no item with this ID is known on this platform.
     */
    get: operations['content.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/content': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the content of a creator
     * @description Lists the content of one creator, newest first. The page is empty for a known creator without content.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned, no credits; the same with a 404.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform.
     */
    get: operations['content.by_profile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/games/{game_id}/content': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the content of a game
     * @description Lists the streams and videos of a game, newest first. The page is empty for a known game without content. `include=creators` adds the names of their creators.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned, no credits; the same with a 404.
     *
     *     **404:** `Game not found`: no game with this ID is known there.
     */
    get: operations['content.by_game'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/games/search': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Search games
     * @description Searches games by name, most popular first. Every word of the search text must start a word of the name; with `exact`, the text must be the whole name. Returns the IDs that the other game endpoints require.
     *
     *     **Cost:** 1 quota unit for each item of `limit`, however many are returned; 2 credits for each item returned.
     */
    get: operations['games.search'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/games/{game_id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a game
     * @description Returns the name, first release, popularity and all IDs of one game, by any of its IDs.
     *
     *     **Cost:** 1 quota unit, no credits; the same with a 404.
     *
     *     **404:** `Game not found`: no game with this ID is known there.
     */
    get: operations['games.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/analysis': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Analyse a creator
     * @description AI-generated analysis of the creator: formats, interests, classification, biography, family, business. It may be wrong. `meta.source` is `database` if it was imported, `model` if this service had a model make it. `profiles.get` with `include=available` tells whether there is one.
     *
     *     **Cost:** 100 quota units; 100 credits if any data is returned.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform; `Analysis not available`: the creator is known, but has not been analysed.
     */
    get: operations['analysis.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/audience': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Analyse an audience
     * @description AI-generated analysis of the audience: age, gender, countries, interests, community health, brand risks. `meta.last_updated_at` is its date. `profiles.get` with `include=available` tells whether there is one.
     *
     *     **Cost:** 100 quota units; 100 credits if any data is returned.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform; `Audience analysis not available`: the creator is known, but the audience has not been analysed.
     */
    get: operations['audience.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/socials': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find a creator on other platforms
     * @description Lists profiles of the same creator on other platforms. Only certain matches are listed. `profiles.get` with `include=available` tells whether there are any.
     *
     *     **Cost:** 10 quota units; 10 credits if any data is returned.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform.
     */
    get: operations['socials.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/profiles/{profile_id}/email': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an e-mail address
     * @description Returns the business address that the creator lists publicly. `profiles.get` with `include=available` tells whether there is one.
     *
     *     **Cost:** 10 quota units, no credits; the same with a 404.
     *
     *     **404:** `Profile not found`: no creator with this ID is known on this platform; `Email not available`: the creator is known, but lists no address.
     */
    get: operations['email.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/platforms/{platform}/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow changes of a platform
     * @description Returns the records of one kind in the order of their last change. Without `cursor` it begins with the oldest change, and so holds every record once; a record that changed often is there once, at its last change. Apply the pages in order and keep `paging.next_cursor`, which never expires: you then have what the store has, deletions included. The monthly allowance may cut a page short.
     *
     *     **Cost:** for each record returned what its look-up costs (`profiles.get`, `content.get`, `analysis.get`, `audience.get`, `socials.get`, `email.get`), and at least 1 quota unit; deletions are free.
     */
    get: operations['changes.list'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/games/changes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Follow changes of games
     * @description Returns the games in the order of their last change. Without `cursor` it begins with the oldest change, and so holds every record once; a record that changed often is there once, at its last change. Apply the pages in order and keep `paging.next_cursor`, which never expires: you then have what the store has, deletions included. The monthly allowance may cut a page short.
     *
     *     **Cost:** for each record returned what its look-up costs (`games.get`), and at least 1 quota unit; deletions are free.
     */
    get: operations['games.changes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get your usage
     * @description Returns the usage of the calling key by UTC day and operation, with totals in `meta.totals` and the monthly allowance in `meta.allowance`. Does not include the request itself.
     *
     *     **Cost:** nothing; it counts as a request of the minute.
     */
    get: operations['usage.get'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check readiness
     * @description For load balancers and people. Answers 200 with `ok`, or 503 with `unavailable` if the database is unreachable or cannot store usage records. Needs no key and is free.
     */
    get: operations['health'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/health/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check liveness
     * @description For supervisors that restart hanging processes. Checks no database, so it answers 200 during a database outage, too. Needs no key and is free.
     */
    get: operations['health.live'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    ProfileBatchRequest: {
      /** @description IDs of profiles on the platform */
      profile_ids: string[];
    };
    HandleLookupRequest: {
      /** @description Handles on the platform; each may carry a leading @ */
      handles: string[];
    };
    ContentBatchRequest: {
      /** @description IDs of items on the platform */
      content_ids: string[];
    };
    FollowerBounds: {
      /**
       * Format: int64
       * @description At least so many followers
       */
      min?: number;
      /**
       * Format: int64
       * @description At most so many followers
       */
      max?: number;
    };
    SearchFilters: {
      /** @description Bounds, inclusive; unknown numbers are outside of any */
      followers?: components['schemas']['FollowerBounds'];
      /** @description Language codes as they are stored, in any case: `en` does not include `en-gb`. The facet lists them */
      language?: string[];
      /** @description Statuses on the platform, such as partner */
      account_type?: string[];
      /** @description Whether the profile is marked as for adults only */
      is_mature?: boolean;
      /**
       * Format: date
       * @description Active on this UTC day or later
       */
      last_active_after?: string;
      /** @description IDs of games on the platform: creators with content of any of them */
      game_ids?: string[];
      /** @description Topics or categories of the analysis, whole, in any case */
      topics?: string[];
      /** @description Country codes of the residence in the analysis, such as DE, in any case */
      countries?: string[];
      /** @description Documents that must all exist; in `not`, creators with any of them are left out */
      has?: ('email' | 'analysis' | 'audience' | 'socials')[];
    };
    ProfileSearchRequest: {
      /** @description Every word must begin a word of the handle, the display name or the description */
      text?: string;
      /** @description Conditions that must all be met, each by one of its values (`has` by all of them) */
      filters?: components['schemas']['SearchFilters'];
      /** @description Leaves out creators who meet any of these conditions */
      not?: components['schemas']['SearchFilters'];
      /** @description IDs of creators to leave out */
      exclude_ids?: string[];
      /**
       * @description What the creators are sorted by; unknown values are lowest
       * @default followers
       * @enum {string}
       */
      sort?: 'followers' | 'last_active_at';
      /**
       * @description Direction of the sort
       * @default desc
       * @enum {string}
       */
      order?: 'asc' | 'desc';
      /**
       * @description Items of a page
       * @default 10
       */
      limit?: number;
      /** @description `paging.next_cursor` of the page before, unchanged */
      cursor?: string;
      /**
       * @description Whether to add `meta.count`: how many creators there are in all
       * @default false
       */
      count?: boolean;
      /** @description Adds `meta.facets`: the 20 most frequent values of each, among all creators found */
      facets?: ('language' | 'account_type' | 'topics' | 'countries')[];
    };
    /** @description A content creator on one platform */
    Profile: {
      /**
       * @description The platform of the profile
       * @enum {string}
       */
      platform_id: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      /** @description ID of the creator on the platform */
      id: string;
      /** @description Handle */
      name: string | null;
      /** @description Displayed name */
      display_name: string | null;
      /** @description URL of the profile */
      url: string | null;
      /** @description The creator's own description */
      description: string | null;
      /** @description URL of the profile image */
      profile_image: string | null;
      /** @description URL of the banner image */
      banner_image: string | null;
      /** @description Language code */
      language: string | null;
      /** @description Statistics of the profile */
      statistics: {
        /**
         * Format: int64
         * @description Followers; on video_platform the free channel subscribers
         */
        followers: number | null;
        /**
         * Format: int64
         * @description Estimated number of all views
         */
        views_estimated: number | null;
      };
      /** @description Status on the platform, for example partner or affiliate */
      account_type: string | null;
      /** @description Whether the profile is marked as for adults only */
      is_mature: boolean | null;
      /**
       * Format: date-time
       * @description Time of the last update of this record
       */
      updated_at: string | null;
      /**
       * Format: date-time
       * @description Time of the creator's last known activity
       */
      last_active_at: string | null;
    };
    /** @description A handle and the ID of the creator it belongs to */
    HandleMapping: {
      /** @description Requested handle, without a leading @ */
      handle: string;
      /** @description ID of the creator on the platform */
      id: string;
    };
    /** @description Statistics of a profile on one day */
    HistoryPoint: {
      /**
       * Format: date
       * @description UTC day of the observation
       */
      date: string;
      /**
       * Format: int64
       * @description Followers; on video_platform the free channel subscribers
       */
      followers: number | null;
      /**
       * Format: int64
       * @description Estimated number of all views
       */
      views_estimated: number | null;
    };
    /** @description A stream, video or post */
    Content: {
      /** @description ID of the item on the platform */
      content_id: string;
      /**
       * @description The platform of the item
       * @enum {string}
       */
      platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      /**
       * @description Kind of item; post is a photo or text post
       * @enum {string}
       */
      type: 'stream' | 'video' | 'short' | 'long' | 'post';
      /** @description Title */
      title: string | null;
      /** @description Description */
      description: string | null;
      /**
       * Format: date-time
       * @description Start of a stream, otherwise publication or creation
       */
      created_at: string | null;
      /**
       * Format: date-time
       * @description End of a stream on live_platform
       */
      ended_at: string | null;
      /**
       * Format: int64
       * @description Length in milliseconds
       */
      duration: number | null;
      /**
       * Format: uri
       * @description URL of the item
       */
      url: string | null;
      /** @description Games and topics */
      categories: components['schemas']['Category'][];
      /** @description Tags */
      tags: components['schemas']['Tag'][];
      /** @description Known statistics */
      statistics: {
        /** @description Concurrent viewers */
        viewers?: {
          /** @description Average number of concurrent viewers */
          avg: number | null;
          /**
           * Format: int64
           * @description Highest number of concurrent viewers
           */
          max: number | null;
        };
        /** @description Minutes watched by all viewers together */
        watched_minutes?: {
          /**
           * Format: int64
           * @description Total
           */
          sum: number | null;
        };
        /** @description Minutes streamed */
        airtime_minutes?: {
          /**
           * Format: int64
           * @description Total
           */
          sum: number | null;
        };
        /** @description Views */
        views?: {
          /**
           * Format: int64
           * @description Total
           */
          sum: number | null;
        };
        /** @description Likes */
        likes?: {
          /**
           * Format: int64
           * @description Total
           */
          sum: number | null;
        };
        /** @description Comments */
        comments?: {
          /**
           * Format: int64
           * @description Total
           */
          sum: number | null;
          /**
           * Format: int64
           * @description Average
           */
          avg: number | null;
        };
      };
      /** @description Chapters of a stream on live_platform */
      chapters: components['schemas']['Chapter'][];
      /** @description ID of the creator who published the item */
      profile_id: string | null;
    };
    /** @description A game or a topic that content is filed under */
    Category: {
      /** @description ID of the category on its platform */
      id: string;
      /**
       * @description Kind of category
       * @enum {string}
       */
      type: 'live_platform_game' | 'video_platform_game' | 'video_platform_category';
      /** @description Name of the category */
      name: string | null;
      /**
       * Format: int64
       * @description ID in the game database; only for games
       */
      gamedb_id: number | null;
      /** @description Official name of the game; only for games */
      gamedb_name: string | null;
      /** @description URL-friendly name of the game; only for games */
      gamedb_slug: string | null;
    };
    /** @description A tag of an item or a chapter */
    Tag: {
      /** @description ID of the tag on its platform */
      id: string;
      /**
       * @description Kind of tag
       * @enum {string}
       */
      type: 'live_platform_tag' | 'video_platform_game' | 'video_platform_category' | 'video_platform_tag';
      /** @description Displayed text of the tag */
      name: string | null;
    };
    /** @description A part of a stream */
    Chapter: {
      /** @description ID of the chapter */
      id: string;
      /** @description Title */
      title: string | null;
      /** @description Description */
      description: string | null;
      /**
       * Format: date-time
       * @description Start of the chapter
       */
      created_at: string | null;
      /**
       * Format: date-time
       * @description End of the chapter
       */
      ended_at: string | null;
      /**
       * Format: int64
       * @description Length in milliseconds
       */
      duration: number | null;
      /** @description Games and topics */
      categories: components['schemas']['Category'][];
      /** @description Tags */
      tags: components['schemas']['Tag'][];
      /** @description Known statistics */
      statistics: {
        /** @description Concurrent viewers */
        viewers?: {
          /** @description Average number of concurrent viewers */
          avg: number | null;
          /**
           * Format: int64
           * @description Highest number of concurrent viewers
           */
          max: number | null;
        };
      };
    };
    /** @description A game */
    Game: {
      /** @description ID in the game database */
      id: string;
      /** @description Official name */
      name: string;
      /** @description URL-friendly name */
      slug: string | null;
      /**
       * Format: date-time
       * @description First release on any system
       */
      first_release_date: string | null;
      /** @description ID of the game on live_platform */
      live_platform_id: string | null;
      /** @description ID of the game's channel on video_platform */
      video_platform_id: string | null;
    };
    /** @description A game with its popularity */
    GameDetails: {
      /** @description ID in the game database */
      id: string;
      /** @description Official name */
      name: string;
      /** @description URL-friendly name */
      slug: string | null;
      /**
       * Format: date-time
       * @description First release on any system
       */
      first_release_date: string | null;
      /** @description ID of the game on live_platform */
      live_platform_id: string | null;
      /** @description ID of the game's channel on video_platform */
      video_platform_id: string | null;
      /**
       * Format: int64
       * @description Number of ratings; game search orders by it
       */
      total_rating_count: number | null;
    };
    /** @description AI-enriched analysis of a creator */
    CreatorAnalysis: {
      /** @description Kind of channel */
      channel_type: string | null;
      /** @description Gender */
      gender: string | null;
      /** @description Age range */
      age_range: string | null;
      /** @description Primary language */
      primary_language: string | null;
      /** @description Film rating that fits the content */
      mpaa: {
        /** @description Film rating, such as PG-13 */
        rating: string;
        /** @description Reasoning of the AI */
        reason: string;
      } | null;
      /** @description Formats of the content */
      content_formats: {
        /** @description Name of the format */
        content_format: string;
        /**
         * Format: int64
         * @description Strength of the format or interest
         */
        strength_rating: number;
        /** @description Parent format */
        parent: {
          /** @description Name of the parent format */
          value: string;
          /**
           * Format: int64
           * @description Number of the parent format
           */
          index: number;
        };
      }[];
      /** @description Interests */
      interests: {
        /** @description Interest of the creator */
        interest: string;
        /**
         * Format: int64
         * @description Strength of the format or interest
         */
        strength_rating: number;
        /** @description Reasoning of the AI */
        reason: string;
        /** @description Classification of the interest */
        classification: {
          /** @description Topic */
          topic: string;
          /** @description Category within the topic */
          category: string;
          /**
           * Format: int64
           * @description Number of the category
           */
          index: number;
        };
      }[];
      /** @description Biography */
      biography: string | null;
      /** @description Topics of the creator */
      classifications: {
        /** @description Topic */
        topic: string;
        /** @description Category within the topic */
        category: string;
        /** @description Reasoning of the AI */
        reason: string;
      }[];
      /** @description Primary topic of the creator */
      primary_classification: {
        /** @description Topic */
        topic: string;
        /** @description Category within the topic */
        category: string;
        /** @description Reasoning of the AI */
        reason: string;
      } | null;
      /** @description Real first name */
      real_first_name: string | null;
      /** @description Real last name */
      real_last_name: string | null;
      /** @description Other names */
      aliases: string[];
      /** @description Birthday */
      birthday: {
        /**
         * Format: int64
         * @description Day of the month
         */
        birthday_day: number;
        /**
         * Format: int64
         * @description Month, 1 to 12
         */
        birthday_month: number;
        /**
         * Format: int64
         * @description Year
         */
        birthday_year: number;
      } | null;
      /** @description Place of residence */
      residence: {
        /** @description City */
        city: string;
        /** @description State or region */
        state: string;
        /** @description Country code */
        country_code: string;
      } | null;
      /** @description Nationality */
      nationality: string | null;
      /**
       * Format: int64
       * @description Height in inches
       */
      height_in_inches: number | null;
      /** @description Family */
      family: {
        /** @description Whether the creator has children */
        has_children: boolean | null;
        /** @description Relationship status, such as single or married */
        relationship_status: string;
        /** @description Known relatives */
        notable_family_members: {
          /** @description Name */
          name: string;
          /** @description Relationship to the creator */
          relationship: string;
          /** @description Whether the person is publicly known */
          public_figure: boolean | null;
          /** @description Whether the person appears in the content */
          appears_in_content: boolean | null;
        }[];
      } | null;
      /** @description Appearance */
      appearance: {
        /** @description Whether the creator's face is visible */
        shows_face: boolean | null;
        /** @description Whether the creator appears as an animated avatar */
        is_vtuber: boolean | null;
        /** @description Whether the creator is generated by AI */
        is_ai_generated_influencer: boolean | null;
        /** @description Recognisable physical features */
        notable_physical_characteristics: string[];
      } | null;
      /** @description Profiles of the creator on other platforms */
      platforms: {
        /** @description Name of the platform */
        platform_name: string;
        /** @description Handle on that platform */
        handle: string;
        /** @description URL of the profile on that platform */
        platform_url: string;
        /** @description Primary type of content on that platform */
        primary_content_type: string;
      }[];
      /** @description Education and motivation */
      background: {
        /** @description Education */
        education: {
          /** @description Institution */
          institution: string;
          /** @description Degree */
          degree: string;
          /** @description Field of study */
          field: string;
        }[];
        /** @description Original motivation of the creator */
        original_motivation: string;
      } | null;
      /** @description Collaborations, income and ventures */
      business: {
        /** @description Work with brands and other creators */
        collaborations: {
          /** @description Partner of the collaboration */
          collaboration_partner: string;
          /** @description Kind of collaboration */
          collaboration_type: string;
          /** @description Description of the collaboration */
          description: string | null;
        }[];
        /** @description Sources of income */
        monetization: {
          /** @description Source of income */
          revenue_stream: string;
          /**
           * Format: int64
           * @description Estimated share of the income
           */
          estimated_importance: number;
          /** @description Details */
          details: string;
          /** @description Platform on which it is earned */
          platform: string | null;
        }[];
        /** @description Businesses of the creator */
        ventures: {
          /** @description Name of the venture */
          venture_name: string;
          /** @description Kind of venture */
          venture_type: string;
          /** @description Description of the venture */
          description: string | null;
          /** @description Role of the creator */
          role: string;
          /** @description Launch date */
          launch_date: string;
        }[];
      } | null;
    };
    /** @description AI-enriched analysis of a creator's audience */
    AudienceAnalysis: {
      /** @description Genders */
      gender_distribution: {
        /** @description Male */
        male: {
          /** @description Share of the audience in percent */
          percentage: number;
        };
        /** @description Female */
        female: {
          /** @description Share of the audience in percent */
          percentage: number;
        };
        /** @description Non-binary */
        non_binary: {
          /** @description Share of the audience in percent */
          percentage: number;
        };
      } | null;
      /** @description Age ranges */
      age_ranges: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Countries */
      countries: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Languages */
      languages: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Ethnicities */
      ethnicity_distribution: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Occupations */
      occupation_distribution: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Income */
      income_distribution: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Levels of education */
      education_level: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Family status */
      family_status: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Religions */
      religion_distribution: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Engagement styles */
      engagement_style: {
        /** @description Value of the trait */
        value: string;
        /** @description Share of the audience in percent */
        percentage: number;
      }[];
      /** @description Interests */
      interests: {
        /** @description Interest of the audience */
        value: string;
        /**
         * Format: int64
         * @description Strength of the interest
         */
        strength_rating: number;
        /** @description Emoji for the interest */
        emoji: string;
        /** @description Narrower interests */
        sub_interests: {
          /** @description Interest of the audience */
          value: string;
          /**
           * Format: int64
           * @description Strength of the interest
           */
          strength_rating: number;
          /** @description Emoji for the interest */
          emoji: string;
        }[];
      }[];
      /** @description Relationship of the community with the creator and among its members */
      community_health: {
        /** @description How loyal the community is to the creator */
        loyalty_score: number;
        /** @description How cohesive the community is */
        cohesion_score: number;
        /** @description How toxic the community is */
        toxicity_score: number;
        /** @description Observations that indicate loyalty */
        loyalty_signals: string[];
        /** @description Observations that indicate cohesion */
        cohesion_signals: string[];
        /** @description Observations that indicate toxicity */
        toxicity_signals: string[];
      } | null;
      /** @description Risks for brands that work with the creator */
      brand_safety: {
        /** @description Overall risk */
        overall_risk_level: number;
        /** @description Individual risks */
        risk_factors: {
          /** @description Risk factor */
          factor: string;
          /** @description How often it occurs */
          frequency: number;
        }[];
      } | null;
    };
    /** @description The same creator's profile on another platform */
    SocialLink: {
      /** @description ID of the creator on the other platform */
      id: string;
      /** @description Handle on the other platform */
      name: string | null;
      /**
       * @description The other platform
       * @enum {string}
       */
      platform_id: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      /**
       * Format: int64
       * @description Followers on the other platform
       */
      followers: number | null;
    };
    /** @description A creator's e-mail address */
    Email: {
      /**
       * Format: email
       * @description Publicly listed business address
       */
      email: string | null;
      /**
       * Format: date-time
       * @description Time of the last confirmation of the address
       */
      updated_at: string | null;
    };
    /** @description A change of a record */
    Change: {
      /**
       * @description `upsert`: store the record in place of the one you have; `delete`: remove it
       * @enum {string}
       */
      op: 'upsert' | 'delete';
      /** @description ID of the record; the creator ID for kinds about a creator */
      id: string;
      /**
       * Format: date-time
       * @description When the service stored the change; null for records from before it kept this
       */
      changed_at: string | null;
      /**
       * Format: date-time
       * @description Date of the document, only for the kinds `analysis`, `audience` and `emails`
       */
      updated_at?: string | null;
      /** @description What the look-up of the record has as `payload`, of the requested kind; null for `delete` */
      record:
        | components['schemas']['Profile']
        | components['schemas']['Content']
        | components['schemas']['CreatorAnalysis']
        | components['schemas']['AudienceAnalysis']
        | components['schemas']['SocialLink'][]
        | components['schemas']['Email']
        | null;
    };
    /** @description A change of a game */
    GameChange: {
      /**
       * @description `upsert`: store the record in place of the one you have; `delete`: remove it
       * @enum {string}
       */
      op: 'upsert' | 'delete';
      /** @description ID of the record; the creator ID for kinds about a creator */
      id: string;
      /**
       * Format: date-time
       * @description When the service stored the change; null for records from before it kept this
       */
      changed_at: string | null;
      /** @description The game; null for `delete` */
      record: components['schemas']['GameDetails'] | null;
    };
    /** @description Usage of one operation on one day */
    UsageLine: {
      /**
       * Format: date
       * @description UTC day
       */
      date: string;
      /** @description Operation, such as profiles.get */
      operation: string;
      /**
       * Format: int64
       * @description Number of answered requests, including errors
       */
      requests: number;
      /**
       * Format: int64
       * @description Quota units charged
       */
      quota_units: number;
      /**
       * Format: int64
       * @description Marketplace credits charged
       */
      credits: number;
    };
    /** @description The state of the service */
    Health: {
      /**
       * @description Whether requests can be served
       * @enum {string}
       */
      status: 'ok' | 'unavailable';
      /** @description Result of each check */
      checks: {
        /**
         * @description Whether the database can be read
         * @enum {string}
         */
        database: 'up' | 'down';
        /**
         * @description Whether usage records can be made durable
         * @enum {string}
         */
        usage: 'up' | 'down';
        /**
         * @description `down` while requests are rejected for overload; does not change `status`
         * @enum {string}
         */
        capacity: 'up' | 'down';
        /**
         * @description `down` while the index of creators cannot be written, so that searches are answered 503; does not change `status`
         * @enum {string}
         */
        search: 'up' | 'down';
        /**
         * @description Whether rate limits are shared between processes; absent without Redis; does not change `status`
         * @enum {string}
         */
        redis?: 'up' | 'down';
      };
    };
    /** @description The state of the process */
    Liveness: {
      /**
       * @description Always ok if the process answers
       * @enum {string}
       */
      status: 'ok';
      /** @description Always empty: this endpoint checks no dependency */
      checks: Record<string, never>;
    };
    /** @description An answer other than success */
    Error: {
      /** @description What is wrong */
      error: {
        /** @description The HTTP status */
        status: number;
        /** @description What is wrong, for a person to read */
        message: string;
        /**
         * @description What is wrong, for a program: it never changes its meaning. Later versions may add codes
         * @enum {string}
         */
        code:
          | 'invalid_platform'
          | 'missing_parameter'
          | 'unknown_parameter'
          | 'repeated_parameter'
          | 'invalid_parameter'
          | 'conflicting_parameters'
          | 'too_many_parameters'
          | 'member_hidden'
          | 'invalid_cursor'
          | 'invalid_json'
          | 'body_too_deep'
          | 'body_too_complex'
          | 'header_too_long'
          | 'invalid_test_answer'
          | 'test_key_required'
          | 'malformed_request'
          | 'missing_api_key'
          | 'monthly_allowance_used_up'
          | 'invalid_api_key'
          | 'profile_not_found'
          | 'content_not_found'
          | 'game_not_found'
          | 'analysis_not_available'
          | 'audience_not_available'
          | 'email_not_available'
          | 'path_not_found'
          | 'method_not_allowed'
          | 'cursor_ahead'
          | 'request_timeout'
          | 'body_too_large'
          | 'unsupported_media_type'
          | 'expectation_failed'
          | 'rate_limit_exceeded'
          | 'too_many_invalid_keys'
          | 'too_many_uploads'
          | 'too_many_unread_answers'
          | 'headers_too_large'
          | 'internal_error'
          | 'service_unavailable'
          | 'overloaded';
        /** @description Name of the one parameter or body member that is wrong */
        parameter?: string;
        /** @description Accepted values or names, if they are few */
        allowed?: string[];
        /** @description What to do */
        hint?: string;
        /**
         * Format: uri-reference
         * @description Explanation of the code, relative to the service: `/docs/errors#CODE`
         */
        documentation_url: string;
      };
      /** @description About the request */
      meta: {
        /**
         * Format: uuid
         * @description ID of the request, as in the header `X-Request-Id`
         */
        request_id: string;
      };
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  'profiles.list': {
    parameters: {
      query?: {
        /** @description Direction of the sort; unknown values are lowest */
        order?: 'asc' | 'desc';
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description From this UTC day on */
        start_date?: string;
        /** @description Until this UTC day, inclusive */
        end_date?: string;
        /** @description Items of a page */
        limit?: number;
        /** @description What the list is sorted by, and the dates bound */
        sort?: 'updated_at' | 'last_active_at' | 'followers';
      };
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Profile'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; null on the last one */
              next_cursor: string | null;
            };
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'profiles.batch': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProfileBatchRequest'];
      };
    };
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Profile'][];
            /** @description About the request */
            meta: {
              /** @description Unknown IDs, in the order of the request */
              missing_ids: string[];
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'profiles.lookup': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['HandleLookupRequest'];
      };
    };
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['HandleMapping'][];
            /** @description About the request */
            meta: {
              /** @description Unknown handles, in the order of the request, without a leading `@` */
              missing_handles: string[];
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'profiles.search': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ProfileSearchRequest'];
      };
    };
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Profile'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; null on the last one */
              next_cursor: string | null;
            };
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /** @description How many creators there are in all; only with `count` */
              count?: {
                /** @description Number of creators */
                value: number;
                /**
                 * @description `eq`: exactly so many; `gte`: at least so many, only above 10,000
                 * @enum {string}
                 */
                relation: 'eq' | 'gte';
              };
              /** @description Most frequent values among all creators found, by facet; only with `facets` */
              facets?: {
                /** @description At most 20 values, the most frequent one first */
                language?: {
                  /** @description Value, in its most frequent spelling */
                  value: string;
                  /** @description Creators with it */
                  count: number;
                }[];
                /** @description At most 20 values, the most frequent one first */
                account_type?: {
                  /** @description Value, in its most frequent spelling */
                  value: string;
                  /** @description Creators with it */
                  count: number;
                }[];
                /** @description At most 20 values, the most frequent one first */
                topics?: {
                  /** @description Value, in its most frequent spelling */
                  value: string;
                  /** @description Creators with it */
                  count: number;
                }[];
                /** @description At most 20 values, the most frequent one first */
                countries?: {
                  /** @description Value, in its most frequent spelling */
                  value: string;
                  /** @description Creators with it */
                  count: number;
                }[];
              };
            };
          };
        };
      };
    };
  };
  'profiles.get': {
    parameters: {
      query?: {
        /** @description `available` adds `meta.available`: which documents about the creator exist */
        include?: 'available';
      };
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['Profile'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /** @description Which documents about the creator exist; only with `include=available` */
              available?: {
                /** @description Whether there is an analysis of the creator */
                analysis: boolean;
                /** @description Whether there is an analysis of the audience */
                audience: boolean;
                /** @description Whether there are links to other platforms */
                socials: boolean;
                /** @description Whether there is an e-mail address; false if it is hidden from the key */
                email: boolean;
              };
            };
          };
        };
      };
    };
  };
  'history.get': {
    parameters: {
      query?: {
        /** @description First UTC day, inclusive; default: 89 days before the last */
        start_date?: string;
        /** @description Last UTC day, inclusive; default: today */
        end_date?: string;
        /** @description The last observation of each day, week (from Monday) or month */
        interval?: 'day' | 'week' | 'month';
      };
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['HistoryPoint'][];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /**
               * @description Requested platform
               * @enum {string}
               */
              platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
              /** @description Requested creator ID */
              profile_id: string;
              /**
               * Format: date
               * @description First observed UTC day of all that is stored; null where nothing is
               */
              first_observed_at: string | null;
            };
          };
        };
      };
    };
  };
  'content.list': {
    parameters: {
      query?: {
        /** @description Direction of the sort; unknown values are lowest */
        order?: 'asc' | 'desc';
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description From this UTC day on */
        start_date?: string;
        /** @description Until this UTC day, inclusive */
        end_date?: string;
        /** @description Items of a page */
        limit?: number;
        /** @description What the list is sorted by, and the dates bound */
        sort?: 'created_at';
        /** @description Only items of this kind; `video` includes the type `long` */
        content_type?: 'stream' | 'video' | 'short' | 'all';
      };
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Content'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; null on the last one */
              next_cursor: string | null;
            };
            /** @description About the request */
            meta: {
              /**
               * @description Requested platform
               * @enum {string}
               */
              platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'content.batch': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ContentBatchRequest'];
      };
    };
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Content'][];
            /** @description About the request */
            meta: {
              /**
               * @description Requested platform
               * @enum {string}
               */
              platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
              /** @description Unknown IDs, in the order of the request */
              missing_ids: string[];
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'content.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the item on the platform */
        content_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['Content'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'content.by_profile': {
    parameters: {
      query?: {
        /** @description Direction of the sort; unknown values are lowest */
        order?: 'asc' | 'desc';
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description From this UTC day on */
        start_date?: string;
        /** @description Until this UTC day, inclusive */
        end_date?: string;
        /** @description Items of a page */
        limit?: number;
        /** @description What the list is sorted by, and the dates bound */
        sort?: 'created_at';
        /** @description Only items of this kind; `video` includes the type `long` */
        content_type?: 'stream' | 'video' | 'short' | 'all';
      };
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Content'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; null on the last one */
              next_cursor: string | null;
            };
            /** @description About the request */
            meta: {
              /**
               * @description Requested platform
               * @enum {string}
               */
              platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
              /** @description Requested creator ID */
              profile_id: string;
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'content.by_game': {
    parameters: {
      query?: {
        /** @description Direction of the sort; unknown values are lowest */
        order?: 'asc' | 'desc';
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description From this UTC day on */
        start_date?: string;
        /** @description Until this UTC day, inclusive */
        end_date?: string;
        /** @description Items of a page */
        limit?: number;
        /** @description What the list is sorted by, and the dates bound */
        sort?: 'created_at';
        /** @description Only items of this kind; `video` includes the type `long` */
        content_type?: 'stream' | 'video' | 'short' | 'all';
        /** @description `creators` adds `meta.creators`: the names of the creators of the page */
        include?: 'creators';
      };
      header?: never;
      path: {
        /** @description ID of the game on the platform */
        game_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube) */
        platform: 'live_platform' | 'video_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Content'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; null on the last one */
              next_cursor: string | null;
              /** @description Whether there is a next page */
              has_more: boolean;
            };
            /** @description About the request */
            meta: {
              /**
               * @description Where the data comes from
               * @enum {string}
               */
              source: 'database';
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /**
               * Format: uuid
               * @description ID of the request, as in the header `X-Request-Id`
               */
              request_id: string;
              /** @description The game; null where only its content is known */
              game: {
                /** @description ID in the game database */
                id: string;
                /** @description Official name */
                name: string;
                /** @description URL-friendly name */
                slug: string | null;
              } | null;
              /**
               * @description Requested platform
               * @enum {string}
               */
              platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
              /** @description The known creators of the page, in the order of their first items; only with `include=creators` */
              creators?: {
                /** @description ID of the creator, `profile_id` of the items */
                id: string;
                /** @description Handle */
                name: string | null;
                /** @description Displayed name */
                display_name: string | null;
              }[];
            };
          };
        };
      };
    };
  };
  'games.search': {
    parameters: {
      query: {
        /** @description Search text; `q` is an alias */
        query: string;
        /** @description Only games that are available there */
        platform?: 'live_platform' | 'video_platform';
        /** @description Only games with exactly this name; case, accents and punctuation are ignored as in every search */
        exact?: boolean;
        /** @description Maximum number of games */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Game'][];
            /** @description About the request */
            meta: {
              /**
               * @description Where the data comes from
               * @enum {string}
               */
              source: 'database';
              /** @description Search text */
              query: string;
              /**
               * @description Requested platform; null for all of them
               * @enum {string|null}
               */
              platform:
                'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform' | null;
              /** @description Maximum number of games */
              limit: number;
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'games.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the game on the platform, or in the game database for `gamedb` */
        game_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `gamedb`: the `id` of a game) */
        platform: 'live_platform' | 'video_platform' | 'gamedb';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['GameDetails'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'analysis.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['CreatorAnalysis'];
            /** @description About the request */
            meta: {
              /**
               * @description Where the record comes from: it was imported, or made by a model
               * @enum {string}
               */
              source: 'database' | 'model';
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /**
               * Format: uuid
               * @description ID of the request, as in the header `X-Request-Id`
               */
              request_id: string;
            };
          };
        };
      };
    };
  };
  'audience.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['AudienceAnalysis'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the analysis was made
               */
              last_updated_at: string | null;
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'socials.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['SocialLink'][];
            /** @description About the request */
            meta: {
              /**
               * @description Where the data comes from
               * @enum {string}
               */
              source: 'database';
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /**
               * Format: uuid
               * @description ID of the request, as in the header `X-Request-Id`
               */
              request_id: string;
            };
          };
        };
      };
    };
  };
  'email.get': {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of the creator on the platform */
        profile_id: string;
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['Email'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'changes.list': {
    parameters: {
      query: {
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description `now` returns no items and the cursor of now. Not together with `cursor` */
        from?: 'now';
        /** @description Items of a page */
        limit?: number;
        /** @description Kind of the records */
        kind: 'profiles' | 'content' | 'analysis' | 'audience' | 'socials' | 'emails';
      };
      header?: never;
      path: {
        /** @description The platform that the IDs belong to (`live_platform`: Twitch; `video_platform`: YouTube; `photo_platform`: Instagram; `short_platform`: TikTok; `microblog_platform`: Bluesky, X) */
        platform: 'live_platform' | 'video_platform' | 'photo_platform' | 'short_platform' | 'microblog_platform';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['Change'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; keep it to go on from here later */
              next_cursor: string;
              /** @description Whether more changes are waiting */
              has_more: boolean;
            };
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'games.changes': {
    parameters: {
      query?: {
        /** @description `paging.next_cursor` of the page before, unchanged */
        cursor?: string;
        /** @description `now` returns no items and the cursor of now. Not together with `cursor` */
        from?: 'now';
        /** @description Items of a page */
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['GameChange'][];
            /** @description Where the page is in the list */
            paging: {
              /** @description Maximum number of items per page */
              limit: number;
              /** @description The parameter `cursor` of the next page; keep it to go on from here later */
              next_cursor: string;
              /** @description Whether more changes are waiting */
              has_more: boolean;
            };
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'usage.get': {
    parameters: {
      query?: {
        /** @description First UTC day, inclusive; default: the first of the current month */
        start_date?: string;
        /** @description Last UTC day, inclusive; default: the last of the current month */
        end_date?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The data that was asked for */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @description The records, in order */
            payload: components['schemas']['UsageLine'][];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
              /** @description Sums of the payload */
              totals: {
                /** @description Requests of all days and operations */
                requests: number;
                /** @description Quota units of all days and operations */
                quota_units: number;
                /** @description Marketplace credits of all days and operations */
                credits: number;
              };
              /** @description Monthly allowance of the key, and what it has used of it; null without one */
              allowance: {
                /** @description Quota units of the month; null if they are not limited */
                quota_units: {
                  /** @description Quota units a month */
                  limit: number;
                  /** @description Quota units used in this month */
                  used: number;
                } | null;
                /** @description Marketplace credits of the month; null if they are not limited */
                credits: {
                  /** @description Marketplace credits a month */
                  limit: number;
                  /** @description Marketplace credits used in this month */
                  used: number;
                } | null;
                /**
                 * Format: date-time
                 * @description When the next UTC month begins
                 */
                resets_at: string;
              } | null;
            };
          };
        };
      };
    };
  };
  health: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Requests are served */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['Health'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
  'health.live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The process is alive */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            payload: components['schemas']['Liveness'];
            /** @description About the request */
            meta: {
              /**
               * Format: date-time
               * @description When the service received the request
               */
              received_at: string;
            };
          };
        };
      };
    };
  };
}
