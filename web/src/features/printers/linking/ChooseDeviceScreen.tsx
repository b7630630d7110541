import { IconBox, IconDeviceDesktop, IconTerminal2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { paths } from '../../../lib/paths.ts'
import { ProductList } from './ProductList.tsx'
import { readPrinterId, type Target } from './targets.ts'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

const CHOICES: { target: Target; icon: typeof IconBox }[] = [
  { target: 'klipper-preinstalled', icon: IconDeviceDesktop },
  { target: 'klipper-generic', icon: IconTerminal2 },
  { target: 'octoprint', icon: IconBox },
]

export default function ChooseDeviceScreen() {
  const { t } = useTranslation('linking')
  const search = useQueryValues()
  const relinking = readPrinterId(search) !== null
  return (
    <WizardFrame
      step={0}
      title={relinking ? t('titleAgain') : t('title')}
      lead={t('choose.lead')}
      back={{ to: paths.printers, label: t('backToPrinters') }}
    >
      <div className={styles.choices}>
        {CHOICES.map(({ target, icon: Icon }) => (
          <Link key={target} to={paths.wizardGuide(target)} search={search} className={styles.choice}>
            <Icon size={28} stroke={1.5} aria-hidden />
            <strong>{t(`choose.${target}`)}</strong>
            <span>{t(`choose.${target}-hint`)}</span>
          </Link>
        ))}
      </div>
      <ProductList search={search} />
    </WizardFrame>
  )
}
