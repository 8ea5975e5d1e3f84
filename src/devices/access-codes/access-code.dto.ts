import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Id, Int, OneOf, Pattern, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';

export const accessCodeTypes = ['time_bound', 'ongoing', 'one_time'] as const;
export type AccessCodeType = (typeof accessCodeTypes)[number];

export const accessCodeStatuses = ['scheduled', 'setting', 'set', 'removing', 'removed', 'failed'] as const;
export type AccessCodeStatus = (typeof accessCodeStatuses)[number];

/** Why a code does not open the door, though it should; or why nobody can tell any more. */
export const codeFailures = ['clash', 'no_free_slot', 'refused', 'too_late', 'connection_ended'] as const;
export type CodeFailure = (typeof codeFailures)[number];

const digits = {
  pattern: /^[0-9]{4,8}$/,
  max: 8,
  says: 'Give 4 to 8 digits.',
  example: '482916',
};

export class CreateAccessCode {
  @Id('device', { about: 'The device that it opens.' })
  deviceId: string;

  @Text({ about: 'What it is called here; its provider is not told.', max: 200, example: 'Cleaners' })
  name: string;

  @OneOf(accessCodeTypes, {
    about: 'time_bound, which needs endsAt or reservationId; ongoing, until it is removed; one_time, for one entry.',
    example: 'ongoing',
  })
  type: AccessCodeType;

  @Timestamp({ about: 'From when it works; at once when left out.', optional: true })
  startsAt?: string;

  @Timestamp({ about: 'Until when it works.', optional: true })
  endsAt?: string;

  @Id('reservation', { about: 'The stay whose times it has, and follows, in place of its own.', optional: true })
  reservationId?: string;

  @Pattern({ about: 'The digits, 4 to 8; made up when left out.', optional: true, ...digits })
  code?: string;
}

export class ThisAccessCode {
  @Id('code', { about: 'The access code.' }) accessCodeId: string;
}

export class UpdateAccessCode extends IntersectionType(
  ThisAccessCode,
  PartialType(PickType(CreateAccessCode, ['name', 'startsAt', 'endsAt', 'code']), { skipNullProperties: false }),
) {}

export class ListAccessCodes extends PageOf(['createdAt', 'updatedAt']) {
  @Id('device', { about: 'Only codes of this device.', optional: true }) deviceId?: string;
  @Id('property', { about: 'Only codes of devices at this property.', optional: true }) propertyId?: string;
  @Id('reservation', { about: 'Only codes of this stay.', optional: true }) reservationId?: string;
  @OneOf(accessCodeStatuses, { about: 'Only codes of this status.', optional: true }) status?: AccessCodeStatus;
}

export class AccessCodeView {
  @Id('code', { about: 'The access code.' }) id: string;
  @Id('device', { about: 'The device that it opens.' }) deviceId: string;
  @Id('property', { about: 'Where the device is, or was when the code was taken back.', nullable: true }) propertyId:
    | string
    | null;
  @Id('reservation', { about: 'The stay that it follows.', nullable: true }) reservationId: string | null;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
  @OneOf(accessCodeTypes, { about: 'How long it works.' }) type: AccessCodeType;
  @OneOf(accessCodeStatuses, { about: 'Whether it is at the device; it works once it is set.' })
  status: AccessCodeStatus;
  @Text({ about: 'Masked; revealAccessCode shows it.', max: 8 }) code: string;
  @Timestamp({ about: 'From when it works.', nullable: true }) startsAt: string | null;
  @Timestamp({ about: 'Until when it works.', nullable: true }) endsAt: string | null;
  @OneOf(codeFailures, {
    about: 'Why it failed, or is taken back; after connection_ended its device may still take it.',
    nullable: true,
  })
  failedBecause: CodeFailure | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was created.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}

/** What is told to those who follow: not what somebody called it, which may be a guest. */
export class AccessCodeEventData extends OmitType(AccessCodeView, ['name']) {}

export class RevealedAccessCode {
  @Id('code', { about: 'The access code.' }) id: string;
  @Pattern({ about: 'Its digits.', ...digits }) code: string;
}
