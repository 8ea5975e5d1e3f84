import { Int, ListOf, OneOf } from '#operations';
import { type AccessCodeStatus, accessCodeStatuses } from './access-code.dto.js';

export class AccessCodesDetails {
  @ListOf({ id: 'code' }, { description: 'Access codes that prevent it.', max: 1_000 }) accessCodeIds: string[];
}

export class CodeSlotsDetails {
  @Int({ description: 'Maximum number of codes on the device.', min: 0, max: 100_000 }) codeSlots: number;
}

export class CodeStatusDetails {
  @OneOf(accessCodeStatuses, { description: 'Status of the code.' }) status: AccessCodeStatus;
}
