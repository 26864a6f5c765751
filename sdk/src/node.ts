// What needs Node's own modules; everything else is in the main entry and runs anywhere.
export { openFileStore } from './file-store.ts'
