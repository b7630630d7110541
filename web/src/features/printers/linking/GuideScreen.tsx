import { Button, SegmentedControl } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { usePlace, useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from 'react-i18next'
import { paths } from '../../../lib/paths.ts'
import { useGiven } from '../../../lib/reach.ts'
import { AddressNote } from '../../../ui/AddressNote.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import shared from '../../../ui/shared.module.css'
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
      <ol className={shared.guide}>
        <li>
          <strong>{t('guide.preinstalled.on')}</strong>
          <p>{t('guide.preinstalled.onHow')}</p>
        </li>
        <li>
          <strong>{t('guide.preinstalled.server')}</strong>
          <p>{t('guide.preinstalled.serverHow')}</p>
          <ServerAddress />
        </li>
        <li>
          <strong>{t('guide.preinstalled.passcode')}</strong>
          <p>{t(`guide.preinstalled.${display}How`)}</p>
        </li>
      </ol>
    </>
  )
}

function OctoPrintGuide() {
  const { t } = useTranslation('linking')
  return (
    <ol className={shared.guide}>
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
        <ServerAddress />
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
    <ol className={shared.guide}>
      <li>
        <strong>{t('guide.klipper.shell')}</strong>
        <p>{t('guide.klipper.shellHow')}</p>
      </li>
      <li>
        <strong>{t('guide.klipper.install')}</strong>
        <p>{t('guide.klipper.installHow')}</p>
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
      </li>
      <li>
        <strong>{t('guide.klipper.link')}</strong>
        <p>{t('guide.klipper.linkHow')}</p>
      </li>
    </ol>
  )
}
