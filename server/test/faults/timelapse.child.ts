/** A server that makes one time-lapse, to be killed while it does (timelapse.test.ts). */
import { readConfig } from '../../config.ts'
import { startServer } from '../../main.ts'
import { makeTimelapse } from '../../modules/prints/timelapse/make.service.ts'
import { asId } from '../ids.ts'

const { signal } = new AbortController()
const databaseUrl = process.env['TEST_DATABASE'] ?? ''
const server = await startServer({ config: readConfig(process.env), databaseUrl, signal })
await makeTimelapse(server.ctx, asId(Number(process.env['TEST_PRINT'])), signal)
