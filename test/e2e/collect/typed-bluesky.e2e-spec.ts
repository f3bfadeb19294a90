import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { AppBskyFeedPost, AtpAgent } from '@atproto/api';
import { BlueskyServer } from '../../support/collect/bluesky-server.js';

const NOW = Date.parse('2026-03-02T12:00:00Z');

describe("AT Protocol's client on the Bluesky of the tests", () => {
  let bluesky: BlueskyServer;
  let agent: AtpAgent;

  beforeEach(async () => {
    bluesky = new BlueskyServer();
    bluesky.now = () => NOW;
    await bluesky.start();
    agent = new AtpAgent({ service: bluesky.url });
  });
  afterEach(() => bluesky.stop());

  it('reads every member of a profile that is collected', async () => {
    const [did = ''] = bluesky.add(1, { handle: 'anna.example.com', followers: 1234, posts: 7 });
    const { data } = await agent.getProfiles({ actors: [did] });
    expect(data.profiles).toMatchObject([
      {
        did,
        handle: 'anna.example.com',
        displayName: 'anna.example.com',
        description: 'about',
        avatar: 'https://images.example.com/avatar/anna.example.com.jpg',
        banner: 'https://images.example.com/banner/anna.example.com.jpg',
        followersCount: 1234,
        postsCount: 7,
      },
    ]);
  });

  it('finds 25 creators in a call, by DID and by handle', async () => {
    const dids = bluesky.add(25);
    const actors = dids.map((did, index) => (index % 2 === 0 ? did : (bluesky.actors.get(did)?.handle ?? '')));
    const { data } = await agent.getProfiles({ actors });
    expect(data.profiles.map(({ did }) => did)).toEqual(dids);
  });

  it('has no profile of who does not exist', async () => {
    const [did = ''] = bluesky.add(1);
    const { data } = await agent.getProfiles({ actors: [did, 'nobody.example.com'] });
    expect(data.profiles.map((profile) => profile.did)).toEqual([did]);
  });

  it('reads every member of a post that is collected', async () => {
    const [did = ''] = bluesky.add(1, { handle: 'anna.example.com', posts: 1 });
    const { data } = await agent.getAuthorFeed({ actor: did, limit: 50 });
    const at = new Date(NOW - 3_600_000).toISOString();
    expect(data.feed).toMatchObject([
      {
        post: {
          uri: expect.stringMatching(`^at://${did}/app\\.bsky\\.feed\\.post/`),
          author: {
            did,
            handle: 'anna.example.com',
            displayName: 'anna.example.com',
            avatar: 'https://images.example.com/avatar/anna.example.com.jpg',
          },
          record: { text: 'Post 0', createdAt: at },
          indexedAt: at,
          likeCount: 3,
          replyCount: 1,
        },
      },
    ]);
    expect(data).not.toHaveProperty('cursor');
  });

  it('reads posts that are valid records', async () => {
    const { data } = await agent.getAuthorFeed({ actor: bluesky.add(1)[0] ?? '' });
    const results = data.feed.map(({ post }) => AppBskyFeedPost.validateRecord(post.record).success);
    expect(results).toEqual([true, true]);
  });

  it('pages through the posts of a creator', async () => {
    const [actor = ''] = bluesky.add(1, { posts: 120 });
    const uris: string[] = [];
    let cursor: string | undefined;
    let pages = 0;
    do {
      const { data } = await agent.getAuthorFeed({ actor, limit: 50, ...(cursor !== undefined && { cursor }) });
      uris.push(...data.feed.map(({ post }) => post.uri));
      cursor = data.cursor;
      pages += 1;
    } while (cursor !== undefined && pages < 4);
    expect([pages, new Set(uris).size, uris.length]).toEqual([3, 120, 120]);
  });

  it('rejects an answer that does not follow the lexicon', async () => {
    bluesky.override = () => ({ status: 200, body: { profiles: [{ did: 'did:plc:a' }] } });
    await expect(agent.getProfiles({ actors: ['did:plc:a'] })).rejects.toMatchObject({
      error: 'Invalid Response',
      validationError: { message: 'Output/profiles/0 must have the property "handle"' },
    });
  });

  it.each([
    [
      'more creators than a call may have',
      (client: AtpAgent) => client.getProfiles({ actors: Array.from({ length: 26 }, () => 'a.example.com') }),
      'Error: actors must not have more than 25 elements',
    ],
    [
      'more posts than a page may have',
      (client: AtpAgent) => client.getAuthorFeed({ actor: 'actor0.example.com', limit: 101 }),
      'Error: limit can not be greater than 100',
    ],
    [
      'the feed of who does not exist',
      (client: AtpAgent) => client.getAuthorFeed({ actor: 'nobody.example.com' }),
      'Profile not found',
    ],
  ])('reports %s as an invalid request', async (_name, call, message) => {
    bluesky.add(1);
    await expect(call(agent)).rejects.toMatchObject({ status: 400, error: 'InvalidRequest', message });
  });

  it('reports a 429 with the time from which calls are accepted again', async () => {
    bluesky.limited = 1;
    await expect(agent.getProfiles({ actors: ['a.example.com'] })).rejects.toMatchObject({
      status: 429,
      error: 'RateLimitExceeded',
      message: 'Rate Limit Exceeded',
      headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': String(NOW / 1000 + 30) },
    });
  });

  it('reports a method that the server does not have', async () => {
    await expect(agent.app.bsky.feed.getFeedGenerators({ feeds: [] })).rejects.toMatchObject({
      status: 501,
      error: 'MethodNotImplemented',
    });
  });

  it('reports an outage with its status', async () => {
    bluesky.fault = () => 'down';
    await expect(agent.getProfiles({ actors: ['a.example.com'] })).rejects.toMatchObject({ status: 503 });
  });
});
