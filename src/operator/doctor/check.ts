/** Result of a check. `warning`: it works, but needs attention. */
export interface Check {
  readonly name: string;
  readonly state: 'good' | 'warning' | 'bad';
  /** One line; unless the state is `good`, it says what to do. */
  readonly message: string;
}

export const good = (name: string, message: string): Check => ({ name, state: 'good', message });
export const warning = (name: string, message: string): Check => ({ name, state: 'warning', message });
export const bad = (name: string, message: string): Check => ({ name, state: 'bad', message });
