import { Menu } from '@mantine/core'
import type { LoadedMenuProps } from '../../../ui/lazy-menu.tsx'

export interface Choice {
  value: string
  label: string
}

interface ChoiceMenuProps extends LoadedMenuProps {
  choices: readonly Choice[]
  chosen: readonly string[]
  onChoose: (value: string) => void
  /** Several may be chosen: each is turned on or off, and the menu stays open. */
  many?: boolean
}

/** A menu in which one thing is chosen, or several. */
export function ChoiceMenu({ choices, chosen, onChoose, many, button, ...menu }: ChoiceMenuProps) {
  const [first = ''] = chosen
  return (
    <Menu position="bottom-start" {...menu}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown mah="60vh" style={{ overflowY: 'auto' }}>
        {many ? (
          choices.map(({ value, label }) => (
            <Menu.CheckboxItem key={value} checked={chosen.includes(value)} onChange={() => onChoose(value)}>
              {label}
            </Menu.CheckboxItem>
          ))
        ) : (
          <Menu.RadioGroup value={first} onChange={onChoose}>
            {choices.map(({ value, label }) => (
              <Menu.RadioItem key={value} value={value} closeMenuOnClick>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
