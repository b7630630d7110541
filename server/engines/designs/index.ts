import type { Config } from '../../config.ts'
import type { DesignProvider } from './port.ts'
import { openSample, type Words } from './sample.ts'
import { openThingiverse } from './thingiverse.ts'

export { type DesignProvider, NoDesigns } from './port.ts'

/** The catalogue of this server: Thingiverse where there is a token for it, else models of our own. */
export function openDesigns(
  config: Pick<Config, 'THINGIVERSE_APP_TOKEN' | 'OUTGOING_STAND_INS'>,
  words: Words,
): DesignProvider {
  const { THINGIVERSE_APP_TOKEN: token } = config
  return token === undefined ? openSample(words) : openThingiverse(config, token)
}
