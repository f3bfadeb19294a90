import { declareList } from '../../http/paging/list-declaration.js';
import { ProfileEntity } from './profile.entity.js';

/** List of the profiles of a platform. */
export const PROFILE_LIST = declareList({
  name: 'profiles',
  entity: ProfileEntity,
  scope: ['platform'],
  id: 'id',
  sorts: { updated_at: 'date', last_active_at: 'date', followers: 'number' },
});
