import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { usePlace, useQueryValues } from '../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { serverUrl } from '../../lib/base.ts'
import { paths } from '../../lib/paths.ts'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { readTarget } from './targets.ts'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

/** What an agent is told as its server: this very address, prefix included, without the last slash. */
const serverAddress = serverUrl('/').replace(/\/$/, '')

export default function GuideScreen() {
  const { t } = useTranslation('linking')
  const target = readTarget(usePlace('target'))
  const search = useQueryValues()
  return (
    <WizardFrame
      step={1}
      title={t(`guide.title.${target}`)}
      back={{ to: paths.wizard, label: t('backToChoose') }}
    >
      <Panel>{target === 'octoprint' ? <OctoPrintGuide /> : <KlipperGuide />}</Panel>
      <div className={styles.next}>
        <Button
          variant="filled"
          renderRoot={(props) => <Link {...props} to={paths.wizardLink(target)} search={search} />}
        >
          {t('next')}
        </Button>
      </div>
    </WizardFrame>
  )
}

function Command({ text }: { text: string }) {
  const { t } = useTranslation('linking')
  return (
    <div className={styles.command}>
      <code tabIndex={0}>{text}</code>
      <CopyButton text={text} label={t('copy')} />
    </div>
  )
}

function OctoPrintGuide() {
  const { t } = useTranslation('linking')
  return (
    <ol className={styles.guide}>
      <li>
        <strong>{t('guide.octoprint.install')}</strong>
        <p>{t('guide.octoprint.installHow')}</p>
      </li>
      <li>
        <strong>{t('guide.octoprint.restart')}</strong>
        <p>{t('guide.octoprint.restartHow')}</p>
      </li>
      <li>
        <strong>{t('guide.octoprint.server')}</strong>
        <p>{t('guide.octoprint.serverHow')}</p>
        <Command text={serverAddress} />
      </li>
      <li>
        <strong>{t('guide.octoprint.begin')}</strong>
        <p>{t('guide.octoprint.beginHow')}</p>
      </li>
    </ol>
  )
}

function KlipperGuide() {
  const { t } = useTranslation('linking')
  return (
    <ol className={styles.guide}>
      <li>
        <strong>{t('guide.klipper.shell')}</strong>
        <p>{t('guide.klipper.shellHow')}</p>
      </li>
      <li>
        <strong>{t('guide.klipper.install')}</strong>
        <p>{t('guide.klipper.installHow')}</p>
        <Command
          text={[
            'cd ~',
            'git clone https://github.com/TheSpaghettiDetective/moonraker-obico.git',
            'cd moonraker-obico',
            `./install.sh -S ${serverAddress}`,
          ].join('\n')}
        />
      </li>
      <li>
        <strong>{t('guide.klipper.link')}</strong>
        <p>{t('guide.klipper.linkHow')}</p>
      </li>
    </ol>
  )
}
