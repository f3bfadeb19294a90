/** What a check found. `warning`: it works, but somebody should look. */
export interface Check {
  readonly name: string;
  readonly state: 'good' | 'warning' | 'bad';
  /** One line; where it is not good, it says what to do. */
  readonly message: string;
}

export const good = (name: string, message: string): Check => ({ name, state: 'good', message });
export const warning = (name: string, message: string): Check => ({ name, state: 'warning', message });
export const bad = (name: string, message: string): Check => ({ name, state: 'bad', message });
