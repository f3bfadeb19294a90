import { statSync } from 'node:fs';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { StoreState } from './index-feeds.js';
import { manifestPath, readManifest } from './segments/index-folder.mjs';
import { SearchView } from './search-view.js';

/** Token of the folder of the index. */
export const SEARCH_FOLDER = Symbol('folder of the search index');

/** Token of a folder in place of the one in the data folder, for an application over another store. */
export const OWN_SEARCH_FOLDER = Symbol('own folder of the search index');

/** Opens the index that one process of the machine writes, and opens it again when it is replaced. */
@Injectable()
export class IndexReader implements OnModuleDestroy {
  #isEnabled = false;
  #view: SearchView | null = null;
  /** Identity of the manifest that was read last. */
  #identity = '';

  constructor(@Inject(SEARCH_FOLDER) private readonly folder: string) {}

  onModuleDestroy(): void {
    this.#view?.close(null);
    this.#view = null;
  }

  /** Lets the index be used, because its files were checked. */
  enable(): void {
    this.#isEnabled = true;
  }

  /** Returns the current index; null if there is none. */
  current(): SearchView | null {
    if (!this.#isEnabled) return null;
    const identity = this.#readIdentity();
    if (identity !== this.#identity) this.#open(identity);
    return this.#view;
  }

  /** Opens the index again at the next use. */
  reload(): void {
    this.#identity = '';
  }

  /** Reports whether the index belongs to a store, and not to a state that a restore undid. */
  isOf({ store, mark, revisions }: StoreState): boolean {
    const manifest = this.current()?.manifest;
    if (manifest === undefined || manifest.store !== store || manifest.mark !== mark) return false;
    return Object.entries(revisions).every(([kind, revision]) => (manifest.revisions[kind] ?? 0) <= revision);
  }

  /** Reports whether the store has changes that the index lacks. True for the index of another store. */
  isBehind({ store, mark, revisions }: StoreState): boolean {
    const manifest = this.current()?.manifest;
    if (manifest === undefined || manifest.store !== store || manifest.mark !== mark) return true;
    return Object.entries(revisions).some(([kind, revision]) => (manifest.revisions[kind] ?? 0) < revision);
  }

  #readIdentity(): string {
    const found = statSync(manifestPath(this.folder), { throwIfNoEntry: false });
    return found === undefined ? 'none' : `${found.ino} ${found.mtimeMs} ${found.size}`;
  }

  /** Opens the manifest. Another process may replace it, and delete the files of the last one, at any time: then it is read again. */
  #open(identity: string): void {
    const earlier = this.#view;
    this.#identity = identity;
    this.#view = this.#readView(earlier);
    earlier?.close(this.#view);
  }

  #readView(earlier: SearchView | null): SearchView | null {
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const manifest = readManifest(this.folder);
      if (manifest === null) return null;
      try {
        return new SearchView(this.folder, manifest, earlier);
      } catch {
        // A file is damaged, or was replaced since the manifest was read.
      }
    }
    return null;
  }
}
