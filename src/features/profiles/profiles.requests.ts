import { ListOfFiftyRequest } from '../../http/validation/list.requests.js';
import { Batch, OneOf } from '../../http/validation/parameters.js';

/** What profiles are sorted by; the date bounds apply to the same member. */
export const PROFILE_SORTS = ['updated_at', 'last_active_at', 'followers'] as const;

export class ProfileListRequest extends ListOfFiftyRequest {
  @OneOf('sort', PROFILE_SORTS, 'updated_at', 'What the list is sorted by, and the dates bound')
  sort: (typeof PROFILE_SORTS)[number] = 'updated_at';
}

export class ProfileBatchRequest {
  @Batch('profile_ids', 'IDs of profiles on the platform')
  profile_ids: string[];
}

export class HandleLookupRequest {
  @Batch('handles', 'Handles on the platform; each may carry a leading @')
  handles: string[];
}
