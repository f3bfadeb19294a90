import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiClient } from '@twurple/api';
import { AppTokenAuthProvider } from '@twurple/auth';
import { TwitchServer } from '../../support/collect/twitch-server.js';

const DAY_MS = 86_400_000;

describe('Twurple, a client of Twitch, on the Twitch of the tests', () => {
  let twitch: TwitchServer;
  let client: ApiClient;

  const connect = (secret = twitch.tokens.clientSecret, id = twitch.tokens.clientId) =>
    new ApiClient({ authProvider: new AppTokenAuthProvider(id, secret), logger: { minLevel: 'critical' } });

  beforeEach(async () => {
    twitch = new TwitchServer();
    await twitch.start();
    const { TWITCH_API_URL = '', TWITCH_AUTH_URL = '' } = twitch.environment;
    const real = globalThis.fetch;
    // The client has no setting for an address with the paths of the real API.
    jest.spyOn(globalThis, 'fetch').mockImplementation((url, init) => {
      const local = (url as string)
        .replace('https://api.twitch.tv/helix', TWITCH_API_URL)
        .replace('https://id.twitch.tv/oauth2', TWITCH_AUTH_URL);
      if (!local.startsWith(twitch.url)) throw new Error(`a call to ${local}`);
      return real(local, init);
    });
    client = connect();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await twitch.stop();
  });

  /** Returns the error that a call ends with, and its body. */
  const failure = (call: Promise<unknown>) =>
    call.then(
      () => ({ status: 200, body: null }),
      ({ statusCode, body }: { statusCode: number; body: string }) => ({ status: statusCode, body: JSON.parse(body) }),
    );

  it('gets a token of the application', async () => {
    const { clientId, clientSecret, issued, lifetimeMs } = twitch.tokens;
    const token = await new AppTokenAuthProvider(clientId, clientSecret).getAppAccessToken();
    expect(token).toMatchObject({
      accessToken: issued[0],
      expiresIn: lifetimeMs / 1000,
      refreshToken: null,
      scope: [],
    });
  });

  it('finds users by ID', async () => {
    const ids = twitch.add(3);
    const users = await client.users.getUsersByIds([...ids, '999999']);
    expect(users.map(({ id }) => id)).toEqual(ids);
  });

  it('finds users by login', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    expect(await client.users.getUsersByNames(['anna', 'nobody'])).toMatchObject([{ id, name: 'anna' }]);
  });

  it('reads every member of a user that is collected', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    expect(await client.users.getUserById(id)).toMatchObject({
      id,
      name: 'anna',
      displayName: 'ANNA',
      description: 'about anna',
      broadcasterType: 'partner',
      profilePictureUrl: `https://images.example.com/${id}.png`,
      offlinePlaceholderUrl: '',
      creationDate: new Date('2016-12-14T20:32:28.894Z'),
    });
  });

  it('reads every member of a channel that is collected', async () => {
    const [id = ''] = twitch.add(1, { login: 'anna' });
    const channels = await client.channels.getChannelInfoByIds([id]);
    expect(channels).toMatchObject([
      {
        id,
        name: 'anna',
        displayName: 'ANNA',
        language: 'en',
        contentClassificationLabels: [],
        tags: [],
        delay: 0,
        isBrandedContent: false,
      },
    ]);
  });

  it('reads the number of followers with a token of the application', async () => {
    const [id = ''] = twitch.add(1, { followers: 1234 });
    expect(await client.channels.getChannelFollowerCount(id)).toBe(1234);
  });

  it('reads every member of a live stream that is collected', async () => {
    const startedAt = Date.parse('2026-03-02T11:00:00Z');
    twitch.now = () => startedAt + 3_600_000;
    const [id = ''] = twitch.add(1, { login: 'anna', isLive: true });
    const [offline = ''] = twitch.add(1);
    expect(await client.streams.getStreamsByUserIds([id, offline])).toMatchObject([
      {
        id: `9${id}`,
        userId: id,
        userName: 'anna',
        userDisplayName: 'ANNA',
        gameId: '509658',
        gameName: 'Just Chatting',
        type: 'live',
        title: 'live now',
        viewers: 42,
        startDate: new Date(startedAt),
        language: 'en',
        tags: ['English'],
        isMature: false,
      },
    ]);
  });

  it('reads every member of a video that is collected', async () => {
    const now = Date.parse('2026-03-02T12:00:00Z');
    twitch.now = () => now;
    const [id = ''] = twitch.add(1, { login: 'anna', videos: 1 });
    const { data, cursor } = await client.videos.getVideosByUser(id, { orderBy: 'time', limit: 50 });
    expect(data).toMatchObject([
      {
        id: `8${id}000`,
        streamId: null,
        userId: id,
        userName: 'anna',
        userDisplayName: 'ANNA',
        title: 'Video 0',
        description: '',
        creationDate: new Date(now - DAY_MS),
        publishDate: new Date(now - DAY_MS),
        url: `https://www.twitch.tv/videos/8${id}000`,
        views: 5,
        type: 'upload',
        duration: '3h8m33s',
        durationInSeconds: 11_313,
        isPublic: true,
        mutedSegmentData: [],
      },
    ]);
    expect(cursor).toBeUndefined();
  });

  it('has no videos of a user who does not exist', async () => {
    expect((await client.videos.getVideosByUser('999999')).data).toEqual([]);
  });

  it('pages through the videos of a user', async () => {
    const [id = ''] = twitch.add(1, { videos: 250 });
    const videos = await client.videos.getVideosByUserPaginated(id, { orderBy: 'time' }).getAll();
    expect(videos.map(({ title }) => title)).toEqual(Array.from({ length: 250 }, (_, index) => `Video ${index}`));
    expect(twitch.callsOf('/helix/videos')).toHaveLength(3);
  });

  it('pages through live streams', async () => {
    const ids = twitch.add(45, { isLive: true });
    const first = await client.streams.getStreams({ userId: ids });
    const second = await client.streams.getStreams({ userId: ids, limit: 100, after: first.cursor ?? '' });
    expect([first.data.length, second.data.length, second.cursor]).toEqual([20, 25, undefined]);
    expect([...first.data, ...second.data].map(({ userId }) => userId)).toEqual(ids);
  });

  it('gets another token when Twitch no longer accepts the first', async () => {
    const [id = ''] = twitch.add(1);
    await client.users.getUserById(id);
    twitch.tokens.expire();
    expect(await client.users.getUserById(id)).toMatchObject({ id });
    expect(twitch.tokens.issued).toHaveLength(2);
  });

  it('reports a 401 when Twitch accepts no token', async () => {
    twitch.tokens.lifetimeMs = 0;
    expect(await failure(client.users.getUserById('1000'))).toEqual({
      status: 401,
      body: { error: 'Unauthorized', status: 401, message: 'Invalid OAuth token' },
    });
  });

  it('reports that the secret is wrong', async () => {
    expect(await failure(connect('wrong').users.getUserById('1000'))).toEqual({
      status: 403,
      body: { status: 403, message: 'invalid client secret' },
    });
  });

  it('reports that the client ID is unknown', async () => {
    expect(await failure(connect('wrong', 'unknown').users.getUserById('1000'))).toEqual({
      status: 400,
      body: { status: 400, message: 'invalid client' },
    });
  });

  it('reports a 400 for more users than a call may have', async () => {
    const ids = Array.from({ length: 101 }, (_, index) => String(index));
    expect(await failure(client.callApi({ url: 'users', query: { id: ids } }))).toMatchObject({
      status: 400,
      body: { error: 'Bad Request', status: 400 },
    });
  });

  it('reports a 404 for a path that Twitch does not have', async () => {
    expect(await failure(client.callApi({ url: 'nothing' }))).toEqual({
      status: 404,
      body: { error: 'Not Found', status: 404, message: '' },
    });
  });

  it('waits after a 429 until the time that its headers tell, then asks again', async () => {
    const [id = ''] = twitch.add(1);
    // The bucket is full again a minute after the call by this clock, which is a second or two later.
    twitch.now = () => Date.now() - 59_000;
    twitch.exhaustBucket();
    twitch.afterAnswer = ({ path }) => {
      if (path === '/helix/users') twitch.restoreBucket();
    };
    expect(await client.users.getUserById(id)).toMatchObject({ id });
    const [first = 0, second = 0] = twitch.calls.map(({ at }) => at);
    expect(second - first).toBeGreaterThan(900);
  });
});
