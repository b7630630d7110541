import type { Config } from '../../config.ts'
import { whyNoFanout } from '../../modules/remote/sfu/sfu-process.ts'
import { doubtful, type Finding, fine } from './finding.ts'
import { runningPid } from './network.ts'

/** Where the server shall carry video itself: the package for it is there, its port is free, and there is an address to reach it at. */
export async function checkVideo(config: Config): Promise<Finding> {
  const { STREAM_FANOUT, STREAM_FANOUT_PORT, PORT, HOST: host, IN_CONTAINER } = config
  const addresses = config.STREAM_FANOUT_ADDRESSES
  if (STREAM_FANOUT === 'off') return fine('Video goes from printers to viewers (STREAM_FANOUT is off).')
  const port = STREAM_FANOUT_PORT ?? PORT
  // A server that runs has the port.
  const why = await whyNoFanout({ port: runningPid(config) === null ? port : 0, host, addresses })
  if (why !== null)
    return doubtful(
      `STREAM_FANOUT=on, but the server cannot carry video: ${why} It goes from printers to viewers, as without.`,
      'Install the packages for this machine (npm ci), or set STREAM_FANOUT_PORT to a free port.',
    )
  if (IN_CONTAINER && addresses.length === 0)
    return doubtful(
      'The server can carry video, but in a container it knows no address at which it is reached.',
      'Set STREAM_FANOUT_ADDRESSES to that of this machine, and publish the UDP port.',
    )
  const where = addresses.length === 0 ? 'all addresses of this machine' : addresses.join(', ')
  return fine(`The server carries video, at ${port === 0 ? 'any UDP port' : `UDP port ${port}`} of ${where}.`)
}
