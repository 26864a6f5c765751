// What needs Node's own modules. Everything in the main entry runs anywhere.
export { openFileStore } from './file-store.ts'
