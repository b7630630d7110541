export { type Ability, agentCan, isAtLeast, neededFor } from '@vigil/contract/core/abilities.ts'
