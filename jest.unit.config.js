import config from './jest.config.js';

/** The unit tests alone, as Stryker runs them. */
export default config.projects.find(({ displayName }) => displayName === 'unit');
