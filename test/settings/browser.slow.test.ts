import { engines } from '../../support/engines.ts'
import { settingsInBrowser } from './browser-suite.ts'

settingsInBrowser(engines.find(({ name }) => name === 'embedded'))
