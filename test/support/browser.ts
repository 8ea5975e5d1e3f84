export { Browser, type PageReply } from '../../faults/page-client.js';
