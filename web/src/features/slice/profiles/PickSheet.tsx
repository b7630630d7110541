import { useTranslation } from '../../../lib/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Field } from './fields.ts'
import rows from '../../../ui/Rows.module.css'

interface PickSheetProps {
  field: Extract<Field, { kind: 'select' }>
  value: string
  onPick: (value: string) => void
  onClose: () => void
}

/** A pattern, or another of a few: picking one closes the sheet. */
export function PickSheet({ field, value, onPick, onClose }: PickSheetProps) {
  const { t } = useTranslation('slicing')
  return (
    <Dialog onClose={onClose} title={t(`field.${field.name}`)}>
      <ul className={rows.rows} data-tall>
        {field.options.map((option) => (
          <li key={option}>
            <button
              type="button"
              className={rows.row}
              data-ends
              aria-pressed={option === value}
              onClick={() => onPick(option)}
            >
              {t(`option.${option}`)}
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}
