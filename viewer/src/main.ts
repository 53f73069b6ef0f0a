// The page that users get.
import {startPage} from './start';

void startPage(document.getElementById('app')!);
