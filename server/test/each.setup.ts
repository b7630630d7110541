import { afterEach, beforeEach } from 'vitest'
import './clockwork.ts'
import { checkAnswers } from './document.ts'
import './timeouts.setup.ts'
import { checkReached } from './transactions.ts'
import { tellWarnings } from './warnings.ts'

beforeEach(tellWarnings)
// Of those below, the last one runs first.
afterEach(checkAnswers)
afterEach(checkReached)
