import type { Printer } from '@vigil/contract/printers/printers.ts'
import { useTranslation } from '../../../lib/translation.ts'

/** What a printer's own page is called: an agent of Klipper's does not say which of the two it has. */
export function usePageName({ agent_name: agent }: Pick<Printer, 'agent_name'>): string {
  const { t } = useTranslation('tunnels')
  if (agent === 'octoprint_obico') return t('page.octoprint')
  return agent === 'moonraker_obico' ? t('page.klipper') : t('page.unknown')
}
