import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { aContent, aProfile, uniqueId } from '../records/builders.js';
import type { TestService } from '../service/test-service.js';
import { ChatServer } from './chat-server.js';
import { removeEverything } from './remove-everything.js';

/** Starts an endpoint for the tests of a service; each test begins with its usual behaviour and an empty store. */
export function useChatServer(service: () => TestService): () => ChatServer {
  let chat: ChatServer;
  beforeAll(async () => {
    chat = await ChatServer.start();
  });
  afterAll(() => chat.stop());
  beforeEach(async () => {
    chat.reset();
    await removeEverything(service());
  });
  return () => chat;
}

/** Loads a creator with a stream. @returns the ID */
export async function loadCreator(service: TestService, given: Parameters<typeof aProfile>[0] = {}): Promise<string> {
  const id = uniqueId();
  await service.load('profiles', aProfile({ id, ...given }));
  await service.load('content', aContent({ profile_id: id, title: 'Opening the hidden temple' }));
  return id;
}
