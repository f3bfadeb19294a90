import type { Collection, Item, ItemGroup } from 'postman-collection';
import { httpRequest, type Answer } from '../http/request.js';

/** Lists the requests of a collection, those in folders included. */
export function itemsOf(group: ItemGroup): Item[] {
  return group.items.all().flatMap((one) => ('items' in one ? itemsOf(one) : one));
}

/** Sends a request as Postman does: fills in variables, omits disabled parameters and encodes spaces. */
export function sendItem(collection: Collection, { request }: Item): Promise<Answer> {
  const filledIn = (text: string) => collection.variables.replace(text);
  const auth = request.auth?.parameters();
  const own = request.headers.all().map(({ key, value }) => [key, value]);
  const headers = auth === undefined ? own : [...own, [String(auth.get('key')), filledIn(String(auth.get('value')))]];
  return httpRequest(filledIn(request.url.getHost()), request.url.getPathWithQuery().replaceAll(' ', '%20'), {
    method: request.method,
    headers: Object.fromEntries(headers),
    ...(request.body?.isEmpty() === false ? { body: request.body.toString() } : {}),
  });
}
