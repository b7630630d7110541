import { NativeSelect } from '@mantine/core'
import { useTranslation } from '../../../lib/translation.ts'
import { useHouseholds } from '../../people/household/index.ts'

interface WhosePrinterProps {
  account: number | null
  onAccount: (account: number | null) => void
}

/** Whose printer it becomes, for who runs a household with others. */
export function WhosePrinter({ account, onAccount }: WhosePrinterProps) {
  const { t } = useTranslation('linking')
  const { data = [] } = useHouseholds()
  const run = data.filter(({ role }) => role === 'owner')
  if (run.length === 0) return null
  return (
    <NativeSelect
      label={t('link.whose')}
      mb={18}
      maw={420}
      value={account ?? ''}
      onChange={({ currentTarget: { value } }) => onAccount(value === '' ? null : Number(value))}
      data={[
        { value: '', label: t('link.mine') },
        ...run.map(({ id, name }) => ({ value: `${id}`, label: name })),
      ]}
    />
  )
}
