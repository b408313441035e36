// oxlint-disable import/no-unassigned-import -- each file describes its globals as it is loaded
// All globals of programs. Each file describes its own; the order is the order of the global object's properties.

import "./globals.js";
import "./object.js";
import "./object-prototype.js";
import "./function.js";
import "./array.js";
import "./symbol.js";
import "./boolean.js";
import "./error.js";
import "./map.js";
import "./set.js";
import "./weak.js";
import "./array-buffer.js";
import "./typed-array.js";
import "./data-view.js";
import "./iterator.js";
import "./async-iterator.js";
import "./generator.js";
import "./proxy.js";
import "./reflect.js";

import "./number.js";
import "./bigint.js";
import "./math.js";
import "../src/string-object.js";
import "./string.js";
import "./string-pattern.js";
import "./string-locale.js";
import "./string-html.js";
import "./string-iterator.js";
import "./regexp.js";
import "./regexp-string-iterator.js";
import "./json.js";
import "./promise.js";
import "./array-from-async.js";
import "./disposable-stack.js";
import "./console.js";
import "./timers.js";
import "./date.js";
import "./uri.js";
import "./dom-exception.js";
import "./encoding.js";
import "./crypto.js";
import "./structured-clone.js";
import "./url.js";
import "./url-search-params.js";
import "./event.js";
import "./abort.js";
import "./intl.js";
import "./intl-plural-rules.js";
import "./intl-list-format.js";
import "./intl-relative-time-format.js";
import "./intl-segmenter.js";

import { describeGlobal } from "../src/realm.js";

describeGlobal();
