import { engines } from '../../support/engines.ts'
import { settingsInBrowser } from './browser-suite.ts'

// The one pass by browser that the fast tests have.
settingsInBrowser(engines.find(({ name }) => name === 'PostgreSQL'))
