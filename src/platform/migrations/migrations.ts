import { Foundation1700000000001 } from './1700000000001-foundation.js';
import { OAuth1700000000002 } from './1700000000002-oauth.js';
import { Accounts1700000000003 } from './1700000000003-accounts.js';
import { MembersAndSettings1700000000004 } from './1700000000004-members-and-settings.js';
import { Stays1700000000006 } from './1700000000006-stays.js';
import { Tasks1700000000007 } from './1700000000007-tasks.js';
import { Connections1700000000008 } from './1700000000008-connections.js';
import { Events1700000000009 } from './1700000000009-events.js';
import { Webhooks1700000000010 } from './1700000000010-webhooks.js';
import { Audit1700000000011 } from './1700000000011-audit.js';
import { Jobs1700000000012 } from './1700000000012-jobs.js';
import { Devices1700000000013 } from './1700000000013-devices.js';
import { AccessCodes1700000000014 } from './1700000000014-access-codes.js';
import { Guides1700000000015 } from './1700000000015-guides.js';
import { TemplatesAndMessages1700000000016 } from './1700000000016-templates-and-messages.js';
import { Workflows1700000000017 } from './1700000000017-workflows.js';
import { ModelJobs1700000000018 } from './1700000000018-model-jobs.js';
import { Scale1700000000019 } from './1700000000019-scale.js';
import { DeviceLines1700000000021 } from './1700000000021-device-lines.js';
import { MessagesByEnd1700000000022 } from './1700000000022-messages-by-end.js';
import { KeySuccessors1700000000082 } from './1700000000082-key-successors.js';
import { OpenDeviceCommands1700000000084 } from './1700000000084-open-device-commands.js';
import { KeysAndMakers1700000000102 } from './1700000000102-keys-and-makers.js';
import { EndpointMakers1700000000103 } from './1700000000103-endpoint-makers.js';
import { Authentications1700000000104 } from './1700000000104-authentications.js';
import { CalendarFiles1700000000105 } from './1700000000105-calendar-files.js';
import { DueInTurns1700000000106 } from './1700000000106-due-in-turns.js';
import { Quotas1700000000107 } from './1700000000107-quotas.js';
import { LogIds1700000000108 } from './1700000000108-log-ids.js';
import { LimitsOfAnswers1700000000109 } from './1700000000109-limits-of-answers.js';
import { Rooms1700000000110 } from './1700000000110-rooms.js';
import { Guests1700000000120 } from './1700000000120-guests.js';
import { Filters1700000000121 } from './1700000000121-filters.js';
import { RoomState1700000000122 } from './1700000000122-room-state.js';
import { Boards1700000000123 } from './1700000000123-boards.js';
import { Requests1700000000130 } from './1700000000130-requests.js';
import { CalledOff1700000000131 } from './1700000000131-called-off.js';
import { SettledChanges1700000000150 } from './1700000000150-settled-changes.js';
import { Clock1700000000151 } from './1700000000151-clock.js';
import { TimesChanges1700000000153 } from './1700000000153-times-changes.js';
import { References1700000000160 } from './1700000000160-references.js';
import { ErasedGuests1700000000170 } from './1700000000170-erased-guests.js';
import { Approvals1700000000180 } from './1700000000180-approvals.js';
import { Undo1700000000185 } from './1700000000185-undo.js';
import { MemberActivity1700000000190 } from './1700000000190-member-activity.js';
import { FormSubmissions1700000000191 } from './1700000000191-form-submissions.js';
import { Inviters1700000000193 } from './1700000000193-inviters.js';
import { SignIns1700000000194 } from './1700000000194-sign-ins.js';
import { Closing1700000000195 } from './1700000000195-closing.js';
import { HandOvers1700000000210 } from './1700000000210-hand-overs.js';
import { JoinedKeys1700000000235 } from './1700000000235-joined-keys.js';
import { TotpDrafts1700000000250 } from './1700000000250-totp-drafts.js';
import { CurrentSyncs1700000000255 } from './1700000000255-current-syncs.js';
import { RequestPeaks1700000000268 } from './1700000000268-request-peaks.js';
import { MinuteBefore1700000000272 } from './1700000000272-minute-before.js';
import { StaysBefore1700000000274 } from './1700000000274-stays-before.js';
import { NewKeys1700000000280 } from './1700000000280-new-keys.js';
import { ShownStays1700000000285 } from './1700000000285-shown-stays.js';
import { StaysOver1700000000290 } from './1700000000290-stays-over.js';
import { CrowdedPlaces1700000000295 } from './1700000000295-crowded-places.js';
import { DayUses1700000000297 } from './1700000000297-day-uses.js';
import { ApprovalRulesKnown1700000000298 } from './1700000000298-approval-rules-known.js';
import { BlockedProperties1700000000299 } from './1700000000299-blocked-properties.js';
import { CoveringIndexes1700000000300 } from './1700000000300-covering-indexes.js';
import { NewestStaysOver1700000000301 } from './1700000000301-newest-stays-over.js';
import { LateDepartures1700000000302 } from './1700000000302-late-departures.js';

/** In the order of their numbers, in which they run. Hashes in released.sha256 freeze them. */
export const migrations = [
  Foundation1700000000001,
  OAuth1700000000002,
  Accounts1700000000003,
  MembersAndSettings1700000000004,
  Stays1700000000006,
  Tasks1700000000007,
  Connections1700000000008,
  Events1700000000009,
  Webhooks1700000000010,
  Audit1700000000011,
  Jobs1700000000012,
  Devices1700000000013,
  AccessCodes1700000000014,
  Guides1700000000015,
  TemplatesAndMessages1700000000016,
  Workflows1700000000017,
  ModelJobs1700000000018,
  Scale1700000000019,
  DeviceLines1700000000021,
  MessagesByEnd1700000000022,
  KeySuccessors1700000000082,
  OpenDeviceCommands1700000000084,
  KeysAndMakers1700000000102,
  EndpointMakers1700000000103,
  Authentications1700000000104,
  CalendarFiles1700000000105,
  DueInTurns1700000000106,
  Quotas1700000000107,
  LogIds1700000000108,
  LimitsOfAnswers1700000000109,
  Rooms1700000000110,
  Guests1700000000120,
  Filters1700000000121,
  RoomState1700000000122,
  Boards1700000000123,
  Requests1700000000130,
  CalledOff1700000000131,
  SettledChanges1700000000150,
  Clock1700000000151,
  TimesChanges1700000000153,
  References1700000000160,
  ErasedGuests1700000000170,
  Approvals1700000000180,
  Undo1700000000185,
  MemberActivity1700000000190,
  FormSubmissions1700000000191,
  Inviters1700000000193,
  SignIns1700000000194,
  Closing1700000000195,
  HandOvers1700000000210,
  JoinedKeys1700000000235,
  TotpDrafts1700000000250,
  CurrentSyncs1700000000255,
  RequestPeaks1700000000268,
  MinuteBefore1700000000272,
  StaysBefore1700000000274,
  NewKeys1700000000280,
  ShownStays1700000000285,
  StaysOver1700000000290,
  CrowdedPlaces1700000000295,
  DayUses1700000000297,
  ApprovalRulesKnown1700000000298,
  BlockedProperties1700000000299,
  CoveringIndexes1700000000300,
  NewestStaysOver1700000000301,
  LateDepartures1700000000302,
];
