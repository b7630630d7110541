import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../lib/translation.ts'
import { useMessages } from '../lib/catalogue.ts'
import { agentCan, neededFor } from './driver/versions.ts'
import { isOffline } from './state.ts'

/** Why a printer's files can't be read now, in the catalogue's words; nothing where they can. */
export function useWhyNotBrowse(): (printer: Printer) => string[] {
  const { t } = useTranslation('printers')
  const message = useMessages()
  return (printer) => {
    const { name, agent_name } = printer
    const known =
      agent_name === 'octoprint_obico' || agent_name === 'moonraker_obico' ? agent_name : 'unknown'
    const needed = neededFor('browseFiles')
    if (isOffline(printer))
      return [
        message('browseOff', { name }),
        message('browseNotConnected', { name, agent: t(`control.agentName.${known}`) }),
      ]
    if (agentCan(printer, 'browseFiles')) return []
    const version = known === 'moonraker_obico' ? needed.klipper : needed.octoprint
    return [message('browseOutdated', { name, version })]
  }
}
