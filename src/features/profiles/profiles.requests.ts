import { ApiQuery } from '@nestjs/swagger';
import { ListOfFiftyRequest } from '../../http/validation/list.requests.js';
import type { FiltersOf } from '../../http/paging/list-declaration.js';
import { SortParameter } from '../../http/validation/list-parameters.js';
import { Batch, Include } from '../../http/validation/parameters.js';
import { PROFILE_LIST } from './profile.list.js';

export class ProfileListRequest extends ListOfFiftyRequest {
  @SortParameter(PROFILE_LIST)
  sort: FiltersOf<typeof PROFILE_LIST>['sort'] = 'updated_at';
}

const AVAILABLE = '`available` adds `meta.available`: which documents about the creator exist';

export class ProfileRequest {
  @Include(['available'], AVAILABLE)
  include?: 'available';
}

/** Documents `ProfileRequest`, which its handler reads itself. `ApiQuery` drops the words of a request class. */
export const ProfileQuery = (): MethodDecorator =>
  ApiQuery({ name: 'include', required: false, enum: ['available'], description: AVAILABLE });

export class ProfileBatchRequest {
  @Batch('IDs of profiles on the platform')
  profile_ids: string[];
}

export class HandleLookupRequest {
  @Batch('Handles on the platform; each may carry a leading @')
  handles: string[];
}
