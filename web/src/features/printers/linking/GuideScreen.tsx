import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Guide, Step } from '../../../ui/Guide.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import { ProductPicture } from './ProductList.tsx'
import { type Display, DISPLAYS, readDisplay, readProduct, readTarget } from './targets.ts'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

export default function GuideScreen() {
  const { t } = useTranslation('linking')
  const place = usePlace('target') ?? ''
  const target = readTarget(place)
  const search = useQueryValues()
  const product = target === 'klipper-preinstalled' ? readProduct(search) : null
  const [display, setDisplay] = useState(readDisplay(search))
  const next = target === 'klipper-preinstalled' ? { ...search, display } : search
  const { printerItem: _, display: __, ...again } = search
  return (
    <WizardFrame
      step={1}
      title={t(`guide.title.${target}`)}
      back={{ to: paths.wizard, search: again, label: t('backToChoose') }}
    >
      {product && (
        <div className={styles.chosen}>
          <ProductPicture product={product} />
          <strong>
            {product.brand} {product.model}
          </strong>
        </div>
      )}
      <Panel>
        {target === 'octoprint' && <OctoPrintGuide />}
        {target === 'klipper-generic' && <KlipperGuide />}
        {target === 'klipper-preinstalled' && <PreinstalledGuide display={display} onDisplay={setDisplay} />}
      </Panel>
      <div className={styles.next}>
        <Button
          variant="filled"
          renderRoot={(props) => <Link {...props} to={paths.wizardLink(place)} search={next} />}
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

/** What an agent is told as its server, alone or within a command. */
function ServerAddress({ within = (address) => address }: { within?: (address: string) => string }) {
  const given = useGiven('network')
  return (
    <>
      <AddressNote given={given} />
      <Command text={within(given.address)} />
    </>
  )
}

interface PreinstalledGuideProps {
  display: Display
  onDisplay: (display: Display) => void
}

/** Where a printer that ships with the agent shows its passcode: on a touch screen, or on an LCD. */
function PreinstalledGuide({ display, onDisplay }: PreinstalledGuideProps) {
  const { t } = useTranslation('linking')
  return (
    <>
      <SegmentedControl
        mb={18}
        aria-label={t('guide.preinstalled.display')}
        value={display}
        onChange={(value) => onDisplay(value)}
        data={DISPLAYS.map((value) => ({ value, label: t(`guide.preinstalled.${value}`) }))}
      />
      <Guide>
        <Step what={t('guide.preinstalled.on')} how={t('guide.preinstalled.onHow')} />
        <Step what={t('guide.preinstalled.server')} how={t('guide.preinstalled.serverHow')}>
          <ServerAddress />
        </Step>
        <Step what={t('guide.preinstalled.passcode')} how={t(`guide.preinstalled.${display}How`)} />
      </Guide>
    </>
  )
}

function OctoPrintGuide() {
  const { t } = useTranslation('linking')
  return (
    <Guide>
      <Step what={t('guide.octoprint.install')} how={t('guide.octoprint.installHow')} />
      <Step what={t('guide.octoprint.restart')} how={t('guide.octoprint.restartHow')} />
      <Step what={t('guide.octoprint.server')} how={t('guide.octoprint.serverHow')}>
        <ServerAddress />
      </Step>
      <Step what={t('guide.octoprint.begin')} how={t('guide.octoprint.beginHow')} />
    </Guide>
  )
}

function KlipperGuide() {
  const { t } = useTranslation('linking')
  return (
    <Guide>
      <Step what={t('guide.klipper.shell')} how={t('guide.klipper.shellHow')} />
      <Step what={t('guide.klipper.install')} how={t('guide.klipper.installHow')}>
        <ServerAddress
          within={(address) =>
            [
              'cd ~',
              'git clone https://github.com/TheSpaghettiDetective/moonraker-obico.git',
              'cd moonraker-obico',
              `./install.sh -S ${address}`,
            ].join('\n')
          }
        />
      </Step>
      <Step what={t('guide.klipper.link')} how={t('guide.klipper.linkHow')} />
    </Guide>
  )
}
