import { forPeople } from '../../../src/auth/approvals-page/for-people.js';
import { labelOf } from '../../../src/auth/approvals-page/shown-values.js';

const isOperation = (name: string): boolean => ['restoreTask', 'createReservation', 'updateUnit'].includes(name);

it.each([
  ['Changes the given fields; null clears a field.', 'Changes the given fields.'],
  ['Removes a task from lists; restoreTask brings it back.', 'Removes a task from lists.'],
  ['Creates a stay under your id. Fields as in createReservation.', 'Creates a stay under your id.'],
  ['Removes a member, unless keepKeys is true.', 'Removes a member, unless “Keep keys” is true.'],
  [
    'Gives the iCal feed a new address; the old one stops working.',
    'Gives the iCal feed a new address; the old one stops working.',
  ],
  ['Use updateUnit.', ''],
])('says to people what an operation does: %s', (description, said) => {
  expect(forPeople(description, isOperation)).toBe(said);
});

it.each([
  ['checkInDate', 'Check-in date'],
  ['checkOutDate', 'Check-out date'],
  ['checkedInAt', 'Checked in at'],
  ['propertyRef', 'Property reference'],
  ['externalRefs', 'External references'],
  ['assigneeIds', 'Assignees'],
  ['auditEntryIds', 'Audit entries'],
  ['keyIds', 'Keys'],
  ['unitId', 'Unit'],
])('labels the field %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});
