/** Uses the database of a data folder from a process of its own (embedded.test.ts). */
import { openEmbedded } from './embedded.ts'

const [, , dataFolder = '', end] = process.argv
const log = { info: () => {}, warn: () => {}, error: () => {} }
const database = await openEmbedded({ dataFolder, log })
console.log('open')
if (end === 'stop') await database.stop()
