import { Button } from '@mantine/core'
import type { Printer } from '@vigil/contract/printers/printers.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { SettingRow } from '../../../ui/SettingRow.tsx'

/** The way to the page of its nozzle camera. */
export function NozzleSettings({ printer }: { printer: Printer }) {
  const { t } = useTranslation('first-layer')
  return (
    <Panel title={t('linkLabel')}>
      <SettingRow label={t('link')} hint={t('linkHint')}>
        {() => (
          <Button
            renderRoot={(props) => (
              <Link {...props} to={paths.nozzle} search={{ printer_id: String(printer.id) }} />
            )}
          >
            {t('title')}
          </Button>
        )}
      </SettingRow>
    </Panel>
  )
}
