import {AddIcon} from '@sanity/icons/Add'
import {Box, Card, Flex, Stack, Text} from '@sanity/ui'
import {MANY, SelectField, Tick, useFound} from '../../parts/fields.tsx'
import {Muted, SmallButton} from '../../parts/layout.tsx'
import {
  isManaged,
  type Right,
  ROLE_TEXTS,
  ROLE_TITLES,
  ROLES,
  type Role,
  rightsText,
  type Site,
} from '../access.ts'

type RightsFormProps = {
  rights: readonly Right[]
  onChange: (rights: readonly Right[]) => void
  sites: readonly Site[]
  /** The ids of the sites for which the administrator may give roles. */
  managed: 'all' | readonly string[]
  /** Whether the roles are for a program, which can have one that people cannot use. */
  isProgram?: boolean
}

/** Roles, each for all sites or for some. Roles for sites that the administrator does not manage are shown only. */
export function RightsForm({rights, onChange, sites, managed, isProgram = false}: RightsFormProps) {
  const offered = managed === 'all' ? sites : sites.filter(({id}) => managed.includes(id))
  const added: Right = {role: 'author', sites: managed === 'all' ? 'all' : managed}
  const replace = (index: number, right: Right) => onChange(rights.with(index, right))
  return (
    <Stack gap={4}>
      {rights.map((right, index) =>
        isManaged(right, managed) ? (
          <RightFields
            // Roles have no other identity than their place.
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end, and their fields have no state.
            key={index}
            mayChooseAll={managed === 'all'}
            onChange={(changed) => replace(index, changed)}
            onRemove={rights.length > 1 ? () => onChange(rights.toSpliced(index, 1)) : undefined}
            right={right}
            roles={isProgram ? ROLES : ROLES.filter((role) => role !== 'reporter')}
            sites={offered}
          />
        ) : (
          <Card border key={rightsText([right], sites)} padding={3} radius={2} tone="transparent">
            <Muted>
              {rightsText([right], sites)}. You do not administer all of these sites, so this role stays as it
              is.
            </Muted>
          </Card>
        ),
      )}
      <SmallButton
        icon={AddIcon}
        onClick={() => onChange([...rights, added])}
        text={rights.length === 0 ? 'Add a role' : 'Add another role'}
      />
    </Stack>
  )
}

const SOME = ['some', 'Some sites'] as const

type RightFieldsProps = {
  right: Right
  roles: readonly Role[]
  onChange: (right: Right) => void
  onRemove: (() => void) | undefined
  sites: readonly Site[]
  mayChooseAll: boolean
}

function RightFields({right, roles, onChange, onRemove, sites, mayChooseAll}: RightFieldsProps) {
  const chosen = right.sites
  // Chosen sites come first, so that they can be taken back.
  const isChosen = ({id}: Site) => chosen.includes(id)
  const ordered = [...sites.filter(isChosen), ...sites.filter((site) => !isChosen(site))]
  const {field, found} = useFound(sites.length > MANY ? ordered : sites, 'a site')
  const toggle = (site: string) => {
    const before = chosen === 'all' ? [] : chosen
    onChange({
      ...right,
      sites: before.includes(site) ? before.filter((one) => one !== site) : [...before, site],
    })
  }
  return (
    <Card border padding={3} radius={2}>
      <Stack gap={4}>
        <Flex gap={3} wrap="wrap">
          <SelectField
            label="Role"
            of={roles.map((role) => [role, ROLE_TITLES[role]])}
            onChange={(value) => {
              const role = ROLES.find((one) => one === value)
              if (role !== undefined) onChange({...right, role})
            }}
            value={right.role}
          />
          <SelectField
            label="For"
            of={mayChooseAll ? [['all', 'All sites'], SOME] : [SOME]}
            onChange={(value) => onChange({...right, sites: value === 'all' ? 'all' : []})}
            value={chosen === 'all' ? 'all' : 'some'}
          />
        </Flex>
        <Muted>
          {ROLE_TITLES[right.role]}: {ROLE_TEXTS[right.role]}.
        </Muted>
        {chosen !== 'all' && (
          <Stack aria-label="Sites" gap={3} role="group">
            {field}
            {found.slice(0, MANY).map((site) => (
              <Tick checked={chosen.includes(site.id)} key={site.id} onChange={() => toggle(site.id)}>
                {site.name}
              </Tick>
            ))}
            {found.length > MANY && <Muted>{found.length - MANY} more have such a name.</Muted>}
            {sites.length === 0 && <Text size={1}>There is no site yet.</Text>}
          </Stack>
        )}
        {onRemove !== undefined && (
          <Box>
            <SmallButton mode="bleed" onClick={onRemove} text="Remove this role" />
          </Box>
        )}
      </Stack>
    </Card>
  )
}

/** Whether rights can be saved: at least one role, and each for at least one site. */
export function isComplete(rights: readonly Right[]): boolean {
  return rights.length > 0 && rights.every(({sites}) => sites === 'all' || sites.length > 0)
}
